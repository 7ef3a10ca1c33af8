import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closeStudio, openFiles, openStudio, type Page, shared } from './studio-page.js';
import { comesTo, stays } from './waiting.js';

const test = suite('studio/first-view');
test.after(closeStudio);

const mobilenet = shared('models/mobilenet_v2/model.onnx');
const digits = new URL('../../examples/digits/model.onnx', import.meta.url).pathname;
const open = (page: Page) => page.getByRole('treeitem', { expanded: true });

test('modules are open at first until the canvas is full; a link says nothing of these', async () => {
  const { page, problems, close } = await openStudio();
  await openFiles(page, mobilenet);
  await open(page).first().waitFor({ state: 'attached' });
  await stays(page, '[role=tree]');
  const lowest = await page.evaluate(() =>
    Math.max(...[...document.querySelectorAll('[role=treeitem]')].map((item) => item.getBoundingClientRect().bottom)),
  );
  assert.ok(lowest > 800, `drawn down to ${lowest} of 900 pixels`);
  assert.not.match(page.url(), /open=/);
  await page.getByRole('button', { name: 'Collapse all' }).click();
  await open(page).first().waitFor({ state: 'detached' });
  await comesTo(async () => page.url(), /#open=$/);
  assert.equal(problems, []);
  await close();
});

async function svgOf(page: Page): Promise<string> {
  const given = page.waitForEvent('download');
  await page.getByRole('button', { name: 'SVG' }).click();
  return readFileSync(await (await given).path(), 'utf8');
}

test('nodes show names, attributes and shapes of weights where that is wanted', async () => {
  const { page, problems, close } = await openStudio();
  await openFiles(page, digits);
  await page.getByRole('treeitem').first().waitFor({ state: 'attached' });
  assert.not.match(await svgOf(page), /kernel_shape/);
  await page.getByText('Show on nodes').click();
  for (const [title, shows] of [
    ['Attributes', />kernel_shape = 3, 3</],
    ['Weight shapes', />weight 16×1×3×3</],
    ['Names', />\/c1\/Conv</],
  ] as const) {
    await page.getByLabel(title, { exact: true }).check();
    await comesTo(() => svgOf(page), shows, title);
  }
  assert.equal(problems, []);
  await close();
});

test.run();
