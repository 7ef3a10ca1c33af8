import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { GraphProto } from '../../build/onnx.js';
import { withFields } from '../../src/model/document/changed.js';
import { loadModel, saveModel } from '../../src/tools/index.js';
import type { Locator } from '../../studio/node_modules/playwright-core/index.js';
import { violations } from './axe.js';
import { closeStudio, openFiles, openStudio, type Page, shared } from './studio-page.js';
import { comesTo, stays } from './waiting.js';

const test = suite<{ root: string }>('studio/side by side');
const digits = fileURLToPath(new URL('../../examples/digits/model.onnx', import.meta.url));

/** The digits network with other names of nodes and of its output, and one more node before the last. */
async function edited(): Promise<Uint8Array> {
  const model = await loadModel(readFileSync(digits));
  const graph = model.proto.graph as GraphProto;
  const node = graph.node.flatMap((one, i) => {
    const renamed = withFields(one, { name: `other ${i}` });
    if (one.opType !== 'Softmax') return [renamed];
    const more = withFields(one, { opType: 'Erf', attribute: [], name: 'more', output: ['more'] });
    return [more, withFields(renamed, { input: ['more'], output: ['shares'] })];
  });
  const output = graph.output.map((value) => withFields(value, { name: 'shares' }));
  const proto = withFields(model.proto, { graph: withFields(graph, { node, output }) });
  return saveModel({ ...model, proto, original: undefined });
}

test.before(async (context) => {
  context.root = mkdtempSync(join(tmpdir(), 'sardonyx-side-'));
  for (const folder of ['first', 'second']) mkdirSync(join(context.root, folder));
  writeFileSync(join(context.root, 'first/model.onnx'), readFileSync(digits));
  writeFileSync(join(context.root, 'second/model.onnx'), await edited());
});
test.after(closeStudio);
test.after(({ root }) => rmSync(root, { recursive: true, force: true }));

const panel = (page: Page) => page.getByRole('region', { name: 'Compare', exact: true });

/** Opens the first folder, and drops the second onto the panel. */
async function compared(page: Page, root: string): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open folder' }).click();
  await (await chooser).setFiles(join(root, 'first'));
  await page.getByRole('tab', { name: 'Compare' }).click();
  await panel(page).getByRole('heading', { name: 'Compare' }).waitFor();
  const devtools = await page.context().newCDPSession(page);
  const data = { items: [], files: [join(root, 'second')], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await devtools.send('Input.dispatchDragEvent', { type, x: 300, y: 400, data });
  await panel(page).getByRole('region', { name: 'Nodes' }).waitFor();
}

test('files of the same name are told apart by A and B and their folders, and so are names of nodes and outputs', async ({
  root,
}) => {
  const { page, problems, close } = await openStudio();
  await compared(page, root);
  const titles = ['A: first/model.onnx', 'B: second/model.onnx'];
  for (const name of titles) {
    await panel(page).getByRole('button', { name, exact: true }).waitFor();
    for (const region of ['Nodes', 'Sizes and times', 'Model properties'])
      await panel(page).getByRole('region', { name: region }).getByRole('columnheader', { name }).waitFor();
  }
  await panel(page)
    .getByRole('row', { name: /^renamed \/c1\/Conv Conv other 0 Conv/ })
    .waitFor();
  await panel(page).getByRole('button', { name: 'Time both' }).click();
  await panel(page)
    .getByRole('row', { name: /^A: probabilities, B: shares / })
    .waitFor();
  assert.equal(problems, []);
  await close();
});

const second = (page: Page) => page.getByRole('region', { name: 'Graph of B: second/model.onnx' });
const first = (page: Page) => page.locator('.graph-pane');
const says = (page: Page) => second(page).getByRole('status');
const item = (graph: Locator, name: RegExp) => graph.getByRole('treeitem', { name }).first();
const isSelected = (graph: Locator, name: RegExp) => item(graph, name).getAttribute('aria-selected');

async function clicked(page: Page, graph: Locator, name: RegExp): Promise<void> {
  const { x, y, width, height } = await placeOf(graph, name);
  await page.mouse.click(x + width / 2, y + height / 2);
}

async function placeOf(graph: Locator, name: RegExp) {
  const place = await item(graph, name).boundingBox();
  if (!place) throw new Error(`${name} is not in sight`);
  return place;
}

/** Where a box of each graph lies in its half of the page. */
async function places(page: Page, name: RegExp) {
  const own = async (graph: Locator) => {
    const [{ x, y, height }, corner] = [await placeOf(graph, name), await graph.boundingBox()];
    return [x - (corner?.x ?? 0), y - (corner?.y ?? 0), height].map(Math.round);
  };
  return [await own(first(page)), await own(second(page))];
}

test('side by side: a node that is selected in one is selected in the other, at the same place, however it is moved', async ({
  root,
}) => {
  const { page, problems, close } = await openStudio();
  await compared(page, root);
  await panel(page).getByRole('button', { name: 'Side by side' }).click();
  await item(second(page), /^Erf/).waitFor({ state: 'attached' });
  await stays(page, '.second-graph');
  const isSamePlace = (name: RegExp) =>
    comesTo(async () => {
      const [one, other] = await places(page, name);
      return `${one}` === `${other}`;
    }, true);

  await clicked(page, first(page), /^Softmax/);
  await comesTo(() => isSelected(second(page), /^Softmax/), 'true');
  await comesTo(() => says(page).innerText(), /^Selected: other \d+$/);
  await isSamePlace(/^Softmax/);

  const before = await places(page, /^Softmax/);
  await second(page).hover();
  await page.mouse.wheel(-20, -30);
  await comesTo(
    () => places(page, /^Softmax/).then(([one]) => one),
    before[0]?.map((at, i) => at + ([20, 30][i] ?? 0)),
  );
  await isSamePlace(/^Softmax/);
  await first(page).hover({ position: { x: 60, y: 300 } });
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, 60);
  await page.keyboard.up('Control');
  await comesTo(async () => ((await places(page, /^Softmax/))[1]?.[2] ?? 0) < (before[1]?.[2] ?? 0), true);
  await isSamePlace(/^Softmax/);

  await clicked(page, second(page), /^Gemm/);
  await comesTo(() => isSelected(first(page), /^Gemm/), 'true');
  await page.getByRole('complementary', { name: 'Details' }).getByRole('heading', { name: 'Gemm' }).waitFor();
  await isSamePlace(/^Gemm/);

  await clicked(page, second(page), /^Erf/);
  await comesTo(() => says(page).innerText(), 'more has no counterpart in A: first/model.onnx.');
  await comesTo(() => first(page).locator('[role=treeitem][aria-selected=true]').count(), 0);
  await panel(page).getByRole('button', { name: '/Softmax' }).click();
  await comesTo(() => isSelected(second(page), /^Softmax/), 'true');
  await panel(page).getByRole('button', { name: 'more', exact: true }).click();
  await comesTo(() => isSelected(second(page), /^Erf/), 'true');

  // With the other model in view, that of the first is left all the same, and lacks the node.
  await panel(page).getByRole('button', { name: 'B: second/model.onnx', exact: true }).click();
  const other = page.getByRole('region', { name: 'Graph of A: first/model.onnx' });
  await item(other, /^Softmax/).waitFor({ state: 'attached' });
  await panel(page).getByRole('button', { name: 'more', exact: true }).click();
  await comesTo(() => other.getByRole('status').innerText(), 'more has no counterpart in A: first/model.onnx.');
  assert.ok(((await other.boundingBox())?.x ?? 0) < ((await first(page).boundingBox())?.x ?? 0));
  assert.equal(await violations(page, 'side by side'), []);
  await other.getByRole('button', { name: 'Close second graph' }).click();
  await other.waitFor({ state: 'detached' });
  assert.equal(problems, []);
  await close();
});

test('side by side: a module that is opened or closed in one is in the other', async () => {
  const { page, problems, close } = await openStudio();
  const path = shared('models/mobilenet_v2/model.onnx');
  await openFiles(page, path);
  await page.getByRole('tab', { name: 'Compare' }).click();
  await panel(page).getByLabel('Choose other model').setInputFiles(path);
  await panel(page).getByRole('button', { name: 'Side by side' }).click();
  const other = page.getByRole('region', { name: 'Graph of B: model.onnx' });
  await item(other, /^features/).waitFor({ state: 'attached' });
  await other.getByRole('tree').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  const selected = (graph: Locator) => graph.locator('[role=treeitem][aria-selected=true]');
  for (const isOpen of ['true', 'false']) {
    await page.keyboard.press('Enter');
    for (const graph of [other, first(page)])
      await comesTo(() => selected(graph).getAttribute('aria-expanded'), isOpen);
  }
  assert.match(await selected(first(page)).innerText(), /^features/);
  assert.equal(problems, []);
  await close();
});

test.run();
