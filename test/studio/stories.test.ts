import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import { saveModel } from '../../src/tools/index.js';
import { serveStudio } from '../../studio/server.js';
import { network } from '../toolkit/reduce/networks.js';
import { f32 } from '../values.js';
import { closeStudio, openFiles, openStudio, type Page } from './studio-page.js';
import { comesTo } from './waiting.js';

const test = suite<{ folder: string }>('studio/stories');
test.before((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'sardonyx-stories-'));
});
test.after(async ({ folder }) => {
  rmSync(folder, { recursive: true });
  await closeStudio();
});

const digits = fileURLToPath(new URL('../../examples/digits/model.onnx', import.meta.url));
const images = fileURLToPath(new URL('../../examples/digits/images.npy', import.meta.url));
const built = fileURLToPath(new URL('../../studio/dist', import.meta.url));

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
const tool = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const cancel = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Cancel' });
const notices = (page: Page) => page.getByRole('log').locator('.notice').allInnerTexts();

/** Drops files on the page, each by a drop of its own, one right after the other. */
async function dropEach(page: Page, ...paths: readonly string[]): Promise<void> {
  const files = paths.map((path) => [path.split('/').at(-1) as string, readFileSync(path).toString('base64')] as const);
  await page.evaluate((given) => {
    for (const [name, text] of given) {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob(text), (character) => character.charCodeAt(0))], name));
      window.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, cancelable: true, bubbles: true }));
    }
  }, files);
}

/** Some seconds of work for as many rows. */
function slow(folder: string): string {
  const b = modelBuilder({ opset: 20 });
  let x = b.input('x', 'float32', ['n', 512]);
  const w = b.constant('w', f32([512, 512], new Float32Array(512 * 512).fill(1 / 512)));
  for (let i = 0; i < 60; i++) x = b.op('Tanh', [b.op('MatMul', [x, w])]);
  b.output('y', x);
  writeFileSync(join(folder, 'slow.onnx'), b.toBytes());
  return join(folder, 'slow.onnx');
}

test('a second model that is dropped while a run goes on ends the run, and runs itself', async ({ folder }) => {
  const { page, problems, close } = await openStudio();
  await openFiles(page, slow(folder));
  await tab(page, 'Run').click();
  const rows = page.getByLabel('n', { exact: true });
  await rows.fill('100000');
  await rows.blur();
  await tool(page, 'Run').getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('banner').getByText('Running').waitFor();
  await dropEach(page, digits);
  await comesTo(() => page.title(), /^model\.onnx/);
  await page.getByRole('group', { name: 'Input image' }).waitFor();
  await cancel(page).waitFor({ state: 'detached' });
  await tool(page, 'Run').getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('table', { name: 'Top classes of probabilities' }).waitFor();
  assert.equal(await notices(page), []);
  assert.equal(problems, []);
  await close();
});

test('of two models that are dropped one right after the other the last is shown', async ({ folder }) => {
  const large = join(folder, 'large.onnx');
  writeFileSync(large, await saveModel(network(1, 10_000, [])));
  const { page, problems, close } = await openStudio();
  await dropEach(page, large, digits);
  await comesTo(() => page.title(), /^model\.onnx/);
  await cancel(page).waitFor({ state: 'detached' });
  assert.match(await page.title(), /^model\.onnx/);
  await page.getByRole('treeitem', { name: /^Softmax/ }).waitFor({ state: 'attached' });
  assert.equal(await notices(page), []);
  assert.equal(problems, []);
  await close();
});

test('a part of the page that cannot be loaded says so, what waits for it can be cancelled, and the rest goes on', async ({
  folder,
}) => {
  const lacking = join(folder, 'lacking');
  cpSync(built, lacking, { recursive: true });
  const [script, ...others] = readdirSync(join(lacking, 'assets')).filter((name) => name.startsWith('quantize.worker'));
  assert.ok(script && others.length === 0);
  rmSync(join(lacking, 'assets', script));
  const server = await serveStudio({ page: lacking });
  const { page, close } = await openStudio();
  await page.goto(server.address);
  await openFiles(page, digits);
  await tab(page, 'Quantize').click();
  await tool(page, 'Quantize').getByRole('button', { name: 'Quantize', exact: true }).click();
  await page.getByText('Part of the page stopped working').waitFor();
  await cancel(page).click();
  await cancel(page).waitFor({ state: 'detached' });
  await tab(page, 'Run').click();
  await tool(page, 'Run').getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('table', { name: 'Top classes of probabilities' }).waitFor();
  await close();
  server.close();
});

test('a model is opened, run, measured, made smaller, compared with what it was, changed, and saved', async () => {
  const { page, problems, close } = await openStudio();
  await openFiles(page, digits);
  await tab(page, 'Run').click();
  const image = page.getByRole('group', { name: 'Input image' });
  await image.getByLabel(/^Source/).selectOption({ label: 'Random values' });
  await tool(page, 'Run').getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('table', { name: 'Top classes of probabilities' }).waitFor();

  await tab(page, 'Measure').click();
  await tool(page, 'Measure').getByRole('button', { name: 'Measure', exact: true }).click();
  await page.getByLabel(/^Group by/).selectOption('node');
  await page.getByRole('table', { name: 'Costs by node' }).getByRole('row').nth(1).getByRole('button').click();
  await page.getByRole('complementary', { name: 'Details' }).getByRole('heading').first().waitFor();
  assert.ok((await page.getByRole('main').evaluate((main) => main.clientWidth)) >= 360, 'there is room for the graph');

  await tab(page, 'Quantize').click();
  await page.locator('input[type=file][multiple]').setInputFiles(images);
  await tool(page, 'Quantize').getByRole('button', { name: 'Quantize', exact: true }).click();
  await tool(page, 'Result').getByRole('button', { name: 'Open' }).click();
  await comesTo(() => page.title(), /^model-quantized\.onnx/);

  await tab(page, 'Compare').click();
  await tool(page, 'Compare').getByLabel('Choose other model').setInputFiles(digits);
  await page.locator('.compared-nodes').waitFor();
  const columns = page.locator('.compared-nodes thead').getByRole('columnheader');
  const tops = await columns.evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().top)));
  assert.is(new Set(tops).size, 1, 'heads of columns stand beside each other, whatever was open before');
  const marks = page.getByRole('img', { name: /^Marks: / });
  await marks.waitFor();
  await page.getByRole('button', { name: 'Clear marks' }).click();
  await marks.waitFor({ state: 'detached' });

  await tab(page, 'Edit').click();
  const producer = page.getByRole('region', { name: 'Editor' }).getByLabel('Producer', { exact: true });
  const before = await producer.inputValue();
  await producer.fill('a story');
  await producer.press('Enter');
  const undo = page.getByRole('region', { name: 'Editor' }).getByRole('button', { name: 'Undo' });
  await comesTo(() => undo.getAttribute('aria-disabled'), 'false');
  await undo.click();
  await comesTo(() => producer.inputValue(), before);
  await page.getByRole('region', { name: 'Editor' }).getByRole('button', { name: 'Redo' }).click();
  await comesTo(() => producer.inputValue(), 'a story');
  const given = page.waitForEvent('download');
  await page.getByRole('region', { name: 'Editor' }).getByRole('button', { name: 'Save', exact: true }).click();
  assert.is((await given).suggestedFilename(), 'model-quantized.onnx');
  await comesTo(() => notices(page), ['Saved as model-quantized.onnx in your downloads']);
  assert.equal(problems, []);
  await close();
});

test.run();
