import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { GraphProto, TensorProto } from '../../build/onnx.js';
import { withFields } from '../../src/model/document/changed.js';
import { generatedFeeds } from '../../src/tools/generated-feeds.js';
import { compareModels, loadModel, type Model, quantizeDynamic, saveModel, simplify } from '../../src/tools/index.js';
import { leading } from '../tier.js';
import { EDITS, type Edited, edits, randomOf, unedited } from '../toolkit/diff/edits.js';
import { network } from '../toolkit/reduce/networks.js';
import { closeStudio, openFiles, openStudio, type Page, shared } from './studio-page.js';
import { comesTo, stays } from './waiting.js';

const test = leading(suite<{ root: string }>('studio/compare'), { ci: 1 });

const digits = fileURLToPath(new URL('../../examples/digits/model.onnx', import.meta.url));
const NODES = 11;

const withGraph = (model: Model, graph: GraphProto): Model => ({
  ...model,
  proto: withFields(model.proto, { graph }),
  original: undefined,
});

/** Other names and another order; one attribute is another, 2 numbers of a weight, and a node is new before the last. */
function edited(model: Model): Model {
  const random = randomOf(5);
  const graph = model.proto.graph as GraphProto;
  const initializer = graph.initializer.map((tensor) => (tensor.name === 'f2.bias' ? moved(tensor) : tensor));
  const node = graph.node.flatMap((one) => {
    const axis = one.attribute.map((attribute) => withFields(attribute, { i: 0 }));
    if (one.opType !== 'Softmax') return [one];
    const more = withFields(one, { opType: 'Erf', attribute: [], name: 'more', output: ['more'] });
    return [more, withFields(one, { input: ['more'], attribute: axis })];
  });
  const started = unedited(withFields(graph, { initializer, node }));
  const renamed = EDITS['other names of values'](EDITS['other names of nodes'](started, random), random);
  return withGraph(model, EDITS['another order'](renamed, random).graph);
}

/** The first two of its numbers half a unit larger. */
function moved(tensor: TensorProto): TensorProto {
  const bytes = (tensor.rawData as Uint8Array).slice();
  const floats = new Float32Array(bytes.buffer, 0, bytes.length / 4);
  for (const i of [0, 1]) floats[i] = (floats[i] as number) + 0.5;
  return withFields(tensor, { rawData: bytes });
}

test.before(async (context) => {
  context.root = mkdtempSync(join(tmpdir(), 'sardonyx-compare-'));
  const model = await loadModel(readFileSync(digits));
  const write = async (name: string, made: Model) => writeFileSync(join(context.root, name), await saveModel(made));
  await write('edited.onnx', edited(model));
  await write('int8.onnx', await quantizeDynamic(model));
  const large = network(1, 10_000, []);
  await write('large.onnx', large);
  const names = EDITS['other names of nodes'](unedited(large.proto.graph as GraphProto), randomOf(1));
  await write('renamed.onnx', withGraph(large, EDITS['other names of values'](names, randomOf(2)).graph));
});
test.after(closeStudio);
test.after(({ root }) => rmSync(root, { recursive: true, force: true }));

const panel = (page: Page) => page.getByRole('region', { name: 'Compare', exact: true });
const nodes = (page: Page) => panel(page).getByRole('region', { name: 'Nodes' });
const count = (page: Page, status: string) => nodes(page).getByRole('button', { name: new RegExp(`^${status} `) });

async function opened(page: Page, path: string): Promise<void> {
  await openFiles(page, path);
  await page.getByRole('tab', { name: 'Compare' }).click();
  await panel(page).getByRole('heading', { name: 'Compare' }).waitFor();
}

async function compared(page: Page, other: string): Promise<void> {
  await panel(page).getByLabel('Choose other model').setInputFiles(other);
  await nodes(page).waitFor();
}

const details = (page: Page, operator: string) =>
  page.getByRole('complementary', { name: 'Details' }).getByRole('heading', { name: operator });

test('renamed and reordered nodes are found again; what is different stands beside them', async ({ root }) => {
  const { page, problems, close } = await openStudio();
  await opened(page, digits);
  await compared(page, join(root, 'edited.onnx'));
  // Softmax has another axis and input, the Gemm another bias; nothing else but names is different.
  await comesTo(() => count(page, 'changed').innerText(), 'changed 2');
  await comesTo(() => count(page, 'added').innerText(), 'added 1');
  await comesTo(() => count(page, 'removed').innerText(), 'removed 0');
  await comesTo(() => count(page, 'renamed').innerText(), `renamed ${NODES - 2}`);
  const text = await nodes(page).getByRole('table').innerText();
  assert.match(text, /axis: int = -?1\s+axis: int = 0/);
  assert.match(text, /f2\.bias float\[10\]\s+2 of 10 differ, by up to 0\.5/);
  assert.match(text, /added\s+–\s+more|added\s+–\s+n\d+ Erf/);

  await nodes(page).getByRole('button', { name: '/Softmax' }).click();
  await details(page, 'Softmax').waitFor();
  await page
    .getByRole('treeitem', { name: /Softmax.*changed/ })
    .first()
    .waitFor({ state: 'attached' });
  const added = nodes(page).getByRole('row').filter({ hasText: 'added' });
  await added.getByRole('button').click();
  await details(page, 'Erf').waitFor();
  await page
    .getByRole('treeitem', { name: /Erf.*added/ })
    .first()
    .waitFor({ state: 'attached' });
  await comesTo(() => panel(page).getByRole('button', { name: 'edited.onnx' }).getAttribute('aria-pressed'), 'true');
  await panel(page).getByRole('button', { name: 'model.onnx' }).click();
  await page
    .getByRole('treeitem', { name: /Softmax.*changed/ })
    .first()
    .waitFor({ state: 'attached' });
  assert.equal(problems, []);
  await close();
});

test('statuses are chosen; the same model has no other node', async () => {
  const { page, problems, close } = await openStudio();
  await opened(page, digits);
  await compared(page, digits);
  await nodes(page).getByText('No changed, added, removed, renamed or moved nodes.').waitFor();
  await count(page, 'same').click();
  await nodes(page).getByRole('table').waitFor();
  assert.is((await nodes(page).getByRole('row').count()) - 1, NODES);
  await comesTo(() => panel(page).getByRole('region', { name: 'Model properties' }).count(), 0);
  assert.equal(problems, []);
  await close();
});

/** Numbers of the rows of the table of sizes. */
async function sizes(page: Page): Promise<Map<string, string[]>> {
  const rows = await panel(page).getByRole('region', { name: 'Sizes and times' }).getByRole('row').allInnerTexts();
  return new Map(
    rows.map((row) => row.split('\t').map((cell) => cell.trim())).map(([name = '', ...cells]) => [name, cells]),
  );
}

test('floats beside 8 bits: sizes, times, and how far the outputs are apart', async ({ root }) => {
  const { page, problems, close } = await openStudio();
  await opened(page, digits);
  await compared(page, join(root, 'int8.onnx'));
  const before = await sizes(page);
  const kilobytes = (path: string) => (statSync(path).size / 1000).toPrecision(3);
  assert.equal(before.get('File')?.slice(0, 2), [
    `${kilobytes(digits)} kB`,
    `${kilobytes(join(root, 'int8.onnx'))} kB`,
  ]);
  await comesTo(() => count(page, 'removed').innerText(), 'removed 0');
  await panel(page).getByRole('button', { name: 'Time both' }).click();
  await panel(page).getByRole('columnheader', { name: 'Output' }).waitFor();
  const [left, right, ratio] = (await sizes(page)).get('Run, median of 5') ?? [];
  assert.match(`${left} ${right} ${ratio}`, /^[\d.]+ m?s [\d.]+ m?s [\d.]+$/);
  const [floats, integers] = [await loadModel(digits), await loadModel(join(root, 'int8.onnx'))];
  const feeds = generatedFeeds([{ name: 'image', isTensor: true, type: 'float32', shape: [1, 1, 8, 8] } as never]);
  const { worst } = await compareModels(integers, floats, feeds as never, { capture: [] });
  const shown = await panel(page).getByRole('row', { name: 'probabilities' }).innerText();
  const found = Number(shown.split('\t')[1]);
  const expected = worst?.relativeL2 ?? 0;
  assert.ok(Math.abs(found - expected) <= 0.2 * expected, `${shown} ${expected}`);
  assert.equal(problems, []);
  await close();
});

test('before and after the toolkit has simplified it', async () => {
  const { page, problems, close } = await openStudio();
  await opened(page, digits);
  await panel(page).getByRole('button', { name: 'Compare with simplified model' }).click();
  await nodes(page).waitFor();
  const { model } = await simplify(await loadModel(readFileSync(digits)));
  const expected = model.proto.graph?.node.length as number;
  assert.equal((await sizes(page)).get('Nodes')?.slice(0, 2), [`${NODES}`, `${expected}`]);
  const number = async (status: string) => Number((await count(page, status).innerText()).split(' ')[1]);
  assert.is(NODES - (await number('removed')) + (await number('added')), expected);
  await panel(page).getByRole('button', { name: 'model-simplified.onnx' }).click();
  await page.getByRole('tab', { name: 'Model' }).click();
  await page.getByRole('heading', { name: 'model-simplified.onnx' }).waitFor();
  assert.equal(problems, []);
  await close();
});

const SEEDS = 50;

/** One edit to four of a model, one after the other. */
function editedBy(seed: number, graph: GraphProto): Edited {
  const random = randomOf(seed);
  let edited = unedited(graph);
  for (let i = 0; i <= seed % 4; i++)
    edited = (edits[Math.floor(random() * edits.length)] as (typeof edits)[0])[1](edited, random);
  return edited;
}

/** The names in the rows, of before and after, once all that are counted are there; '–' where a side has no such node. */
async function pairs(page: Page): Promise<(readonly [before: string, after: string])[]> {
  const table = nodes(page).getByRole('table');
  const inPage = (): (readonly [string, string])[] =>
    [...document.querySelectorAll('.compared-nodes tr:has(.badge)')].map((row) => {
      const [, before, after] = [...row.querySelectorAll('td')].map((cell) => cell.querySelector('button') ?? cell);
      return [before?.textContent ?? '', after?.textContent ?? ''] as const;
    });
  await table.waitFor();
  const wanted = (
    await nodes(page)
      .getByRole('button', { name: /^\w+ \d+$/ })
      .allInnerTexts()
  ).map((text) => Number(text.split(' ')[1]));
  const total = wanted.reduce((sum, count) => sum + count, 0);
  await comesTo(async () => (await page.evaluate(inPage)).length, total);
  return page.evaluate(inPage);
}

test(`${SEEDS} seeded edits: no row has a node beside another than it came from`, async ({ root }) => {
  const before = await loadModel(readFileSync(shared('models/squeezenet1_1/model.onnx')));
  const path = join(root, 'squeezenet.onnx');
  writeFileSync(path, await saveModel(before));
  const { page, problems, close } = await openStudio();
  await opened(page, path);
  let [matched, missed] = [0, 0];
  for (let seed = 0; seed < SEEDS; seed++) {
    const { graph, origins } = editedBy(seed, before.proto.graph as GraphProto);
    const name = `seed-${seed}.onnx`;
    writeFileSync(join(root, name), await saveModel(withGraph(before, graph)));
    await compared(page, join(root, name));
    await panel(page).getByRole('button', { name }).waitFor();
    await count(page, 'same').click();
    const came = new Map(graph.node.map((node) => [node.name, origins.get(node)?.name]));
    for (const [left, right] of await pairs(page)) {
      const isMissed = left === '–' && came.get(right) !== undefined;
      if (left !== '–' && right !== '–') assert.is(left, came.get(right), `seed ${seed}: ${left} beside ${right}`);
      [matched, missed] = [matched + 1, missed + (isMissed ? 1 : 0)];
    }
  }
  console.log(`      ${missed} of ${matched} nodes were not matched`);
  assert.ok(missed <= matched / 100);
  assert.equal(problems, []);
  await close();
});

test('10,000 nodes of other names, in pages', async ({ root }) => {
  {
    const { page, problems, close } = await openStudio();
    await opened(page, join(root, 'large.onnx'));
    await page.getByRole('treeitem').first().waitFor({ state: 'attached' });
    await stays(page, '[role=tree]');
    await compared(page, join(root, 'renamed.onnx'));
    await showsInPages(page);
    assert.equal(problems, []);
    await close();
  }
});

async function showsInPages(page: Page): Promise<void> {
  await comesTo(() => count(page, 'renamed').innerText(), 'renamed 10.0 k');
  await comesTo(() => count(page, 'changed').innerText(), 'changed 0');
  const rows = nodes(page).getByRole('row');
  await nodes(page).getByText('200 of 10.0 k').waitFor();
  assert.is((await rows.count()) - 1, 200);
  await nodes(page).getByRole('button', { name: 'Show more' }).click();
  await nodes(page).getByText('400 of 10.0 k').waitFor();
  assert.is((await rows.count()) - 1, 400);
}

test.run();
