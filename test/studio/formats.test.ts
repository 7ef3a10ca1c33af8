import { mkdtempSync, openAsBlob, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkModel, type Model, saveModel } from '../../src/tools/index.js';
import { load } from '../../studio/src/workers/documents/formats/load.js';
import { leading } from '../tier.js';
import { closeStudio, openFiles, openStudio, type Page } from './studio-page.js';
import { comesTo } from './waiting.js';

const test = leading(suite('studio/formats'), { ci: 9 });
test.after(closeStudio);

const data = (name: string) => fileURLToPath(new URL(`data/${name}`, import.meta.url));
const [ORT, TFLITE] = [data('small.ort'), data('small.tflite')];

const loaded = async (path: string) => load({ name: basename(path), model: await openAsBlob(path), beside: [] });

function written(name: string, bytes: Uint8Array | string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'studio-')), name);
  writeFileSync(path, bytes);
  return path;
}

/** https://huggingface.co/docs/safetensors: the length of a header, the header, and what it speaks of. */
function safetensors(): string {
  const header = JSON.stringify({
    __metadata__: { format: 'pt' },
    'layer.weight': { dtype: 'F32', shape: [2, 3], data_offsets: [0, 24] },
    'layer.bias': { dtype: 'BF16', shape: [2], data_offsets: [24, 28] },
  });
  const bytes = Buffer.alloc(8 + header.length + 28);
  bytes.writeBigUInt64LE(BigInt(header.length));
  bytes.write(header, 8);
  for (const [i, value] of [0, 1.5, -2, 3, 4, 5].entries()) bytes.writeFloatLE(value, 8 + header.length + 4 * i);
  bytes.writeUInt16LE(0x3f80, 8 + header.length + 24);
  return written('weights.safetensors', bytes);
}

const attributesOf = ({ proto }: Model, node: number): string[] =>
  (proto.graph?.node[node]?.attribute ?? []).map(
    ({ name, f, i, s }) => `${name} ${s?.length ? `${Buffer.from(s)}` : f || i}`,
  );

test('an ORT file is the model that it was made of', async () => {
  const { model, format, isViewOnly } = await loaded(ORT);
  assert.is(format, 'ORT 6');
  assert.not(isViewOnly);
  assert.equal(
    model.proto.graph?.node.map(({ opType, name, input, output }) => [opType, name, input, output]),
    [
      ['Conv', 'stem/conv', ['x', 'w'], ['y']],
      ['If', 'choose', ['yes'], ['c']],
      ['LeakyRelu', 'leaky', ['c'], ['z']],
    ],
  );
  assert.is(model.proto.producerName, 'sardonyx-tests');
  assert.equal(
    model.proto.metadataProps.map(({ key, value }) => [key, value]),
    [['purpose', 'a test']],
  );
  const branches = model.proto.graph?.node[1]?.attribute.map(({ name, g }) => [name, g?.node[0]?.opType]);
  assert.equal(branches?.toSorted(), [
    ['else_branch', 'Sigmoid'],
    ['then_branch', 'Relu'],
  ]);
  assert.equal(await checkModel(model), []);
  assert.ok((await saveModel(model)).length > 0);
});

test('a file of TensorFlow Lite has its operators, options and subgraphs', async () => {
  const { model, format, isViewOnly } = await loaded(TFLITE);
  assert.is(format, 'TensorFlow Lite 3');
  assert.ok(isViewOnly);
  const nodes = model.proto.graph?.node ?? [];
  // As the interpreter of TensorFlow 2.21 lists them.
  assert.equal(
    nodes.map(({ opType }) => opType),
    ['CONV_2D', 'MAX_POOL_2D', 'SUM', 'GREATER', 'IF', 'RESHAPE', 'SOFTMAX'],
  );
  assert.equal(nodes[0]?.input, ['serving_default_x:0', 'Conv2D1', 'Conv2D']);
  assert.equal(attributesOf(model, 0), [
    'padding SAME',
    'stride_w 2',
    'stride_h 2',
    'fused_activation_function RELU',
    'dilation_w_factor 1',
    'dilation_h_factor 1',
  ]);
  const branches = nodes[4]?.attribute.map(({ name, g }) => [name, g?.node.map(({ opType }) => opType)]);
  assert.equal(branches, [
    ['then_branch', ['TANH']],
    ['else_branch', ['LEAKY_RELU']],
  ]);
});

test('a damaged file is refused, wherever it ends', async () => {
  for (const path of [ORT, TFLITE]) {
    const bytes = readFileSync(path);
    for (let size = 16; size < bytes.length; size += 61) {
      const model = new Blob([bytes.subarray(0, size)]);
      const found = await load({ name: 'cut', model, beside: [] }).catch((error: Error) => error);
      if (found instanceof Error) assert.match(found.message, /The studio opens ONNX, ORT/);
    }
  }
});

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const details = (page: Page) => page.getByRole('complementary', { name: 'Details' });

test('a TensorFlow Lite model is looked at: operators, options, weights, subgraphs', async () => {
  const { page, problems, close } = await openStudio();
  await openFiles(page, TFLITE);
  await comesTo(() => region(page, 'Model').innerText(), /Format\s+TensorFlow Lite 3/);
  await region(page, 'Model').getByRole('button', { name: 'serving_default_x:0' }).click();
  await comesTo(() => details(page).innerText(), /float32\[\?, 8, 8, 1\]/);
  await details(page)
    .getByRole('button', { name: /^CONV_2D/ })
    .click();
  await comesTo(() => details(page).innerText(), /fused_activation_function\s+RELU/);
  await details(page).getByRole('button', { name: 'Conv2D1' }).click();
  await details(page).getByRole('button', { name: 'View tensor' }).click();
  await comesTo(() => page.locator('.cells [role=cell]').first().innerText(), '-2');
  await page.keyboard.press('Escape');
  for (const name of ['Run', 'Measure', 'Edit']) assert.ok(await page.getByRole('tab', { name }).isDisabled(), name);
  await page.keyboard.press('ControlOrMeta+f');
  await page.getByRole('combobox', { name: 'Find in the model' }).fill('LEAKY_RELU');
  await page.getByText('1 found').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Graph path' }).getByText('else_branch of 4').waitFor();
  await comesTo(() => details(page).innerText(), /alpha\s+0\.25/);
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByRole('log').getByText('This file is not an ONNX model').waitFor();
  assert.equal(problems, []);
  await close();
});

test('an ORT model runs', async () => {
  const { page, problems, close } = await openStudio();
  await openFiles(page, ORT);
  await comesTo(() => region(page, 'Model').innerText(), /Format\s+ORT 6/);
  await page.getByRole('tab', { name: 'Run', exact: true }).click();
  await region(page, 'Run').getByRole('button', { name: 'Run', exact: true }).click();
  await comesTo(() => region(page, 'Run').innerText(), /float32\[1, 2, 6, 6\]/);
  assert.equal(problems, []);
  await close();
});

test('the tensors of a safetensors file are a table, and each is opened', async () => {
  const { page, problems, close } = await openStudio();
  await openFiles(page, safetensors());
  const table = page.getByRole('table', { name: 'Weights' });
  await comesTo(() => table.getByRole('row').nth(1).innerText(), /layer\.weight\s+float32\s+2, 3\s+24 B/);
  await comesTo(() => table.getByRole('row').nth(2).innerText(), /layer\.bias\s+bfloat16\s+2\s+4 B/);
  await table.getByRole('button', { name: 'layer.weight' }).click();
  const cells = page.locator('.cells [role=cell]');
  await comesTo(() => cells.allInnerTexts(), ['0', '1.5', '-2', '3', '4', '5']);
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Model' }).click();
  await comesTo(() => region(page, 'Model').innerText(), /Format\s+safetensors[\s\S]*format\s+pt/);
  assert.equal(problems, []);
  await close();
});

test('of a file that it cannot open, the studio says which it can', async () => {
  const { page, close } = await openStudio();
  await openFiles(page, written('model.h5', Buffer.from(`\x89HDF\r\n\x1a\n${'\0'.repeat(64)}`, 'latin1')));
  const notices = page.getByRole('log').locator('.notice');
  await comesTo(() => notices.innerText(), /HDF5[\s\S]*The studio opens ONNX, ORT, TensorFlow Lite, safetensors, GGUF/);
  await openFiles(page, [written('a.txt', 'a'), written('b.txt', 'b')]);
  await comesTo(() => notices.last().innerText(), /No model found in these files[\s\S]*\.onnx, \.ort, \.tflite/);
  await close();
});

test.run();
