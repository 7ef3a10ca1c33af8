import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { InferenceSession } from '../../src/index.js';
import { generatedFeeds } from '../../src/tools/generated-feeds.js';
import { loadModel } from '../../src/tools/index.js';
import { leading } from '../tier.js';
import { violations } from './axe.js';
import { closeStudio, openFiles, openStudio, type Page, type Setting } from './studio-page.js';
import { comesTo, PATIENCE, stays } from './waiting.js';

const digits = fileURLToPath(new URL('../../examples/digits/model.onnx', import.meta.url));

const test = leading(suite('studio/access'), { ci: 2 });
test.after(closeStudio);

const SETTINGS: readonly Setting[] = [
  { width: 1440, scheme: 'light' },
  { width: 390, height: 844, scheme: 'dark' },
  { width: 1024, scheme: 'light' },
  { width: 1440, scheme: 'dark', forcedColors: true },
];

for (const setting of SETTINGS) {
  const name = `${setting.width} pixels, ${setting.scheme}${setting.forcedColors ? ', forced colours' : ''}`;
  test(`${name}: axe-core finds nothing on any screen`, async () => {
    const { page, problems, close } = await openStudio(setting);
    const found = await violations(page, 'welcome');
    await openFiles(page, digits);
    const tabs = page.getByRole('tablist', { name: 'Tools' }).getByRole('tab');
    await page.getByRole('tab', { name: 'Model' }).and(page.locator('[aria-selected=true]')).waitFor();
    for (const tab of await tabs.all()) {
      const title = await tab.innerText();
      if ((await tab.getAttribute('aria-selected')) !== 'true') await tab.click();
      await page.getByRole('region', { name: title, exact: true }).locator('.panel, h2').first().waitFor();
      found.push(...(await violations(page, title)));
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      if (overflow > 0) found.push(`${title}: ${overflow} pixels wider than the page`);
    }
    assert.equal(found, []);
    assert.equal(problems, []);
    await close();
  });
}

/** Keeps what regions that are live say: what is put into them while they are there. */
const LISTEN = `
window.said = [];
new MutationObserver((changes) => {
  for (const { target, addedNodes } of changes) {
    const element = target.nodeType === 1 ? target : target.parentElement;
    if (element?.closest('[aria-live=polite], [role=log], [role=status], output'))
      window.said.push(...[...addedNodes].map((node) => node.textContent), element === target ? '' : target.data);
  }
}).observe(document, { childList: true, characterData: true, subtree: true });`;

const said = (page: Page) => page.evaluate<string[]>('window.said.filter(Boolean)');
const hears = (page: Page, what: RegExp) => comesTo(async () => (await said(page)).join('\n'), what);

async function openTool(page: Page, name: string): Promise<void> {
  const tab = page.getByRole('tab', { name, exact: true });
  if ((await tab.getAttribute('aria-selected')) !== 'true') await tab.click();
  await page.getByRole('region', { name, exact: true }).locator('.panel, h2').first().waitFor();
}

test('screen readers are told how far tasks are, and what came of them', async () => {
  const { page, problems, close } = await openStudio();
  await page.evaluate(LISTEN);
  await openFiles(page, digits);
  await hears(page, /^Opening model.onnx/m);
  await hears(page, /^model.onnx: 11 nodes$/m);
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  await openTool(page, 'Run');
  await press('Run');
  const first = page.getByRole('article', { name: 'Run 1' }).getByRole('row').first();
  const [label, score] = [first.getByRole('rowheader'), first.getByRole('cell').first()];
  await hears(
    page,
    new RegExp(
      `^Run in [\\d.]+ m?s: top class of probabilities: ${await label.innerText()}, ${await score.innerText()}$`,
      'm',
    ),
  );
  await openTool(page, 'Measure');
  await press('Measure');
  for (const part of [25, 50, 75]) await hears(page, new RegExp(`^Measuring: ${part} %$`, 'm'));
  await hears(page, /^Measured: median [\d.]+ m?s of 20 runs$/m);
  await openTool(page, 'Understand');
  await press('Capture');
  await hears(page, /^Captured 12 values, none with NaN or infinity$/m);
  await openTool(page, 'Quantize');
  await press('Quantize');
  await hears(page, /^Quantized: [\d.]+ kB to [\d.]+ kB$/m);
  await openTool(page, 'Compare');
  await press('Compare with simplified model');
  await hears(page, /^changed 0, added \d+, removed \d+, renamed/m);
  const broken = join(mkdtempSync(join(tmpdir(), 'studio-')), 'broken.onnx');
  writeFileSync(broken, 'no model');
  await openFiles(page, broken);
  await hears(page, /^Comparing with broken.onnx failed.*is not an ONNX model/m);
  assert.equal(problems, []);
  await close();
});

test('the tree has every node in sight with its operator, name, shape and, once it was measured, time', async () => {
  const { page, close } = await openStudio();
  await openFiles(page, digits);
  await openTool(page, 'Measure');
  await page.getByRole('button', { name: 'Measure', exact: true }).click();
  await page.getByText('Sum of steps').waitFor();
  await page.getByRole('button', { name: 'Fit to window' }).click();
  const { graph } = (await loadModel(readFileSync(digits))).proto;
  const session = await InferenceSession.create(digits, { graphOptimizationLevel: 'disabled' });
  const values = await session.run(generatedFeeds(session.inputMetadata) as never, { capture: 'all' });
  await session.release();
  const tree = page.getByRole('tree', { name: 'Graph' });
  await comesTo(() => tree.ariaSnapshot(), / [mµ]?s"/);
  const snapshot = await tree.ariaSnapshot();
  for (const { opType, name, output } of graph?.node ?? []) {
    const { dims } = values[output[0] as string] as { dims: readonly number[] };
    const words = `"${opType}, ${name}, float32[${['batch', ...dims.slice(1)].join(', ')}]`;
    assert.ok(snapshot.includes(`treeitem ${words}`), `${words} in ${snapshot}`);
  }
  // A Flatten is a view: it takes no step.
  assert.is(snapshot.match(/\], [\d.]+ [mµ]?s"/g)?.length, (graph?.node.length as number) - 1);
  await close();
});

/** In the page: in how many places the map's frame is seen while the drawing is fitted to the window, where there is no map. */
const PLACES = `new Promise((resolve) => {
  const map = document.querySelector('.graph-minimap');
  const canvas = map.querySelector('canvas');
  const context = canvas.getContext('2d');
  const place = () => (map.hidden ? 'all is seen' : context.getImageData(0, 0, canvas.width, canvas.height).data.join());
  const seen = [];
  const begun = performance.now();
  const look = (now) => {
    if (seen.at(-1) !== place()) seen.push(place());
    if (now - begun < (map.hidden ? 600 : ${PATIENCE})) requestAnimationFrame(look);
    else resolve(seen.length);
  };
  requestAnimationFrame(look);
  [...document.querySelectorAll('button')].find(({ ariaLabel }) => ariaLabel === 'Fit to window').click();
})`;

for (const reducedMotion of ['no-preference', 'reduce'] as const)
  test(`the drawing ${reducedMotion === 'reduce' ? 'is where it goes at once' : 'moves there'}: motion, ${reducedMotion}`, async () => {
    const { page, close } = await openStudio();
    await page.emulateMedia({ reducedMotion });
    await openFiles(page, digits);
    await page.getByRole('treeitem').first().waitFor({ state: 'attached' });
    // The map is drawn anew with types.
    await comesTo(() => page.getByRole('tree', { name: 'Graph' }).ariaSnapshot(), /float32/);
    const places = async () => {
      for (let i = 0; i < 6; i++) await page.getByRole('button', { name: 'Zoom in' }).click();
      await page.locator('.graph-minimap').waitFor();
      await stays(page, '[role=tree]');
      return page.evaluate<number>(PLACES);
    };
    // A busy machine draws few frames while it moves, but not each time.
    if (reducedMotion === 'reduce') assert.is(await places(), 2, 'where it was, and where all is seen');
    else await comesTo(async () => (await places()) > 2, true, 'it moves');
    assert.equal(await page.evaluate('document.getAnimations().length'), 0);
    await close();
  });

/** What is at the middle of an element is the element, or in it. */
const isOnTop = (element: Element): boolean => {
  const { x, y, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
};

test('390 pixels: details are a bar below a tool until they are asked for, and tables are as wide as the page', async () => {
  const { page, problems, close } = await openStudio({ width: 390, height: 800 });
  await openFiles(page, digits);
  await page.getByRole('tab', { name: 'Find' }).click();
  await page.getByRole('combobox', { name: 'Find in the model' }).fill('MaxPool');
  await page.keyboard.press('Enter');
  const details = page.getByRole('complementary', { name: 'Details' });
  await details.getByRole('heading', { name: 'MaxPool', exact: true }).waitFor();
  const shape = details.getByText('kernel_shape', { exact: true });
  assert.not.ok(await shape.isVisible());
  await page.getByRole('tab', { name: 'Edit' }).click();
  const field = page.getByRole('region', { name: 'Editor' }).getByLabel('Name', { exact: true }).first();
  await field.scrollIntoViewIfNeeded();
  await comesTo(() => field.evaluate(isOnTop), true);
  await details.getByRole('button', { name: 'Details', exact: true }).click();
  await shape.waitFor();
  await comesTo(() => shape.evaluate(isOnTop), true);
  await page.getByRole('tab', { name: 'Measure' }).click();
  await shape.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Measure', exact: true }).click();
  for (const [tool, table] of [
    ['Measure', 'Costs by operator'],
    ['Weights', 'Weights'],
  ] as const) {
    if (tool !== 'Measure') await page.getByRole('tab', { name: tool }).click();
    const found = page.getByRole('table', { name: table });
    await found.getByRole('cell').first().waitFor();
    await comesTo(() => found.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), 0, table);
  }
  assert.equal(problems, []);
  await close();
});

test('1024 pixels: a drawing that a wide tool has covered is where it was', async () => {
  const { page, close } = await openStudio({ width: 1024, height: 768 });
  await openFiles(page, digits);
  await page.getByRole('treeitem').first().waitFor({ state: 'attached' });
  const scale = page.locator('.graph-scale');
  await stays(page, '[role=tree]');
  const before = await scale.innerText();
  await openTool(page, 'Measure');
  const width = () => page.getByRole('main').evaluate((main) => main.clientWidth);
  await comesTo(width, 0);
  await openTool(page, 'Edit');
  await comesTo(async () => (await width()) > 200, true);
  await comesTo(() => scale.innerText(), before);
  await close();
});

test('what is open at the same time has no style of another tool: runs to choose lie below each other', async () => {
  const { page, close } = await openStudio();
  await openFiles(page, digits);
  await openTool(page, 'Run');
  await openTool(page, 'Watch');
  const written = (name: string) => fileURLToPath(new URL(`logs/written/${name}`, import.meta.url));
  await openFiles(page, [written('torch.tfevents'), written('torch-tuned.tfevents')]);
  const choice = page.getByRole('region', { name: 'Runs', exact: true });
  const heights = () =>
    choice.evaluate(({ children }) => [...children].map((each) => each.getBoundingClientRect().top));
  await choice.getByRole('checkbox').nth(1).waitFor();
  const [first = 0, second = 0, third = 0] = await heights();
  assert.ok(second - first < 80 && third - second < 60, `${[first, second, third]}`);
  const edge = (part: string) => page.locator(part).evaluate((each) => each.getBoundingClientRect());
  assert.ok((await edge('.run-choice .field')).right <= (await edge('.watch-view')).left);
  await close();
});

test('the theme that was chosen stays', async () => {
  const { page, close } = await openStudio({ scheme: 'light' });
  const theme = () => page.locator('html').getAttribute('data-theme');
  assert.is(await theme(), 'light');
  await page.getByRole('button', { name: 'Use dark theme' }).click();
  assert.is(await theme(), 'dark');
  await page.reload();
  await page.getByRole('button', { name: 'Use light theme' }).waitFor();
  assert.is(await theme(), 'dark');
  await close();
});

test('the tools are reached, opened and left by keys', async () => {
  const { page, close } = await openStudio();
  await openFiles(page, digits);
  await page.getByRole('heading', { name: 'model.onnx' }).waitFor();
  await page.getByRole('tab', { name: 'Model' }).focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Model' }).waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Model' }).waitFor();
  await close();
});

test('in the tour, a drawn stroke is recognized at once', async () => {
  const { page, problems, close } = await openStudio();
  await page.getByRole('button', { name: 'Take the tour' }).click();
  await page.getByRole('dialog', { name: 'Tour' }).getByRole('button', { name: 'Next' }).click();
  const pad = page.getByRole('application', { name: /^Drawing/ });
  await pad.waitFor();
  const box = await pad.boundingBox();
  if (!box) throw new Error('the pad is in sight');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height * 0.2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height * 0.8, { steps: 8 });
  await page.mouse.up();
  const run = page.getByRole('region', { name: 'Run' });
  await run.getByRole('rowheader', { name: '1', exact: true }).first().waitFor();
  assert.equal(problems, []);
  await close();
});

test('the tour leads through the tools, and ends by Escape', async () => {
  const { page, problems, close } = await openStudio();
  await page.getByRole('button', { name: 'Take the tour' }).click();
  const tour = page.getByRole('dialog', { name: 'Tour' });
  await tour.getByRole('heading', { name: 'A model' }).waitFor();
  for (const title of ['Run it', 'Where the time goes', 'Look inside', 'Make the model smaller', 'Your turn']) {
    await tour.getByRole('button', { name: 'Next' }).click();
    await tour.getByRole('heading', { name: title }).waitFor();
  }
  await tour.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('region', { name: 'Quantize' }).waitFor();
  await tour.press('Escape');
  await tour.waitFor({ state: 'detached' });
  assert.equal(problems, []);
  await close();
});

test.run();
