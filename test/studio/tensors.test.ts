import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readNpy } from '../../src/tensor/npy.js';
import { leading } from '../tier.js';
import { evenly } from '../toolkit/quantize/runs.js';
import { modelOfTensors, written } from './details-model.js';
import { closeStudio, type Opened, openFiles, openStudio, type Page } from './studio-page.js';
import { comesTo } from './waiting.js';

const test = leading(suite('studio/tensors'), { ci: 2 });
test.after(closeStudio);

const raw = (array: Float32Array | Float64Array | BigInt64Array | Uint16Array) => new Uint8Array(array.buffer);

const FLOAT = { dataType: 1 };
const mixed = Float32Array.from(evenly(3 * 4 * 50 * 60, 7), (x, i) => (i % 5 === 0 ? 0 : x ** 3 / 7));
mixed.set([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 3.5, -2.25], 1000);

const TENSORS = [
  { name: 'mixed', ...FLOAT, dims: [3, 4, 50, 60], rawData: raw(mixed) },
  { name: 'kernels', ...FLOAT, dims: [16, 3, 5, 5], rawData: raw(evenly(16 * 75, 3)) },
  { name: 'halves', dataType: 10, dims: [4], rawData: raw(Uint16Array.of(0x3c00, 0xc000, 0x7bff, 0x0001)) },
  { name: 'large', dataType: 7, dims: [2], rawData: raw(BigInt64Array.of(9007199254740993n, -5n)) },
  { name: 'nibbles', dataType: 22, dims: [2, 3], int32Data: [0x8f, 0x21, 0x07].slice(0, 3) },
  {
    name: 'words',
    dataType: 8,
    dims: [2],
    stringData: ['<b>a</b>', 'é'].map((text) => new TextEncoder().encode(text)),
  },
  { name: 'nothing', ...FLOAT, dims: [0, 4], rawData: new Uint8Array() },
  { name: 'number', ...FLOAT, dims: [], floatData: [0.1] },
];
const SPARSE = [
  {
    values: { name: 'sparse0', ...FLOAT, dims: [2], floatData: [3, -4] },
    indices: { dataType: 7, dims: [2], int64Data: [1, 10] },
    dims: [3, 4],
  },
];

async function opened(): Promise<Opened> {
  const studio = await openStudio();
  await openFiles(studio.page, modelOfTensors(TENSORS, SPARSE));
  await studio.page.getByRole('tab', { name: 'Weights' }).click();
  return studio;
}

async function look(page: Page, name: string) {
  await page.getByRole('table', { name: 'Weights' }).getByRole('button', { name, exact: true }).click();
  const dialog = page.getByRole('dialog', { name });
  await dialog.waitFor();
  return dialog;
}

const cells = (page: Page) =>
  page.locator('.cells [role=cell]').evaluateAll((all) => all.map((cell) => cell.textContent ?? ''));

/** The texts of all cells, once they are there. */
async function read(page: Page): Promise<string[]> {
  await page.waitForFunction(() => {
    const texts = [...document.querySelectorAll('.cells [role=cell]')].map((cell) => cell.textContent);
    return texts.length > 0 && !texts.includes('…');
  });
  return cells(page);
}

const close = (page: Page) => page.keyboard.press('Escape');

/** The same figures in one loop in double precision. */
function figures(all: Float32Array) {
  const finite = Float64Array.from(all).filter(Number.isFinite);
  const mean = finite.reduce((sum, x) => sum + x, 0) / finite.length;
  const deviation = Math.sqrt(finite.reduce((sum, x) => sum + (x - mean) ** 2, 0) / finite.length);
  const zeros = finite.filter((x) => x === 0).length;
  return {
    mean,
    deviation,
    zeros,
    min: finite.reduce((a, b) => Math.min(a, b)),
    max: finite.reduce((a, b) => Math.max(a, b)),
  };
}

test('statistics are those of a loop in double precision; NaN and infinities are counted', async () => {
  const { page, problems, close: end } = await opened();
  const dialog = await look(page, 'mixed');
  await dialog.getByText('Standard deviation').waitFor();
  const shown = new Map(
    (await dialog.locator('.facts').evaluate((list) => [...list.children].map((each) => each.textContent ?? '')))
      .map((text, i, all) => [text, all[i + 1] ?? ''] as const)
      .filter((_, i) => i % 2 === 0),
  );
  const { mean, deviation, zeros, min, max } = figures(mixed);
  for (const [title, expected] of [
    ['Mean', mean],
    ['Standard deviation', deviation],
    ['Minimum', min],
    ['Maximum', max],
  ] as const)
    assert.ok(
      Math.abs(Number(shown.get(title)) - expected) <= 1e-3 * Math.abs(expected),
      `${title}: ${shown.get(title)}`,
    );
  assert.match(shown.get('Zeros') as string, new RegExp(`^${zeros} `));
  assert.is(shown.get('NaN'), '1');
  assert.is(shown.get('Infinite'), '2');
  const bars = await dialog.locator('.histogram title').evaluateAll((all) => all.map((each) => each.textContent ?? ''));
  for (const bar of bars.slice(0, 5)) {
    const [, low, high, count] = /^(\S+) to (\S+): (\d+)$/.exec(bar) ?? [];
    const inside = mixed.filter((x) => x >= Number(low) - 2e-3 && x < Number(high) + 2e-3).length;
    assert.ok(Number(count) <= inside, bar);
  }
  assert.is(
    bars.reduce((sum, bar) => sum + Number(/: (\d+)$/.exec(bar)?.[1]), 0),
    mixed.length - 3,
  );
  assert.equal(problems, []);
  await end();
});

test('the table shows any slice, and .npy holds the very data', async () => {
  const { page, problems, close: end } = await opened();
  const dialog = await look(page, 'mixed');
  await dialog.getByLabel('Dim 0').fill('2');
  await dialog.getByLabel('Dim 1').fill('3');
  await page.locator('.cells').evaluate((frame) => frame.scrollTo(0, 24 * 49));
  await page.getByRole('rowheader', { name: '49', exact: true }).waitFor();
  const first = async () => (await page.locator('[aria-rowindex="51"] [role=cell]').allInnerTexts())[0];
  await comesTo(async () => Math.fround(Number(await first())), mixed[(2 * 4 + 3) * 3000 + 49 * 60]);

  const given = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save as .npy' }).click();
  const download = await given;
  assert.is(download.suggestedFilename(), 'mixed.npy');
  const { data, dims } = readNpy(readFileSync(await download.path()));
  assert.equal(dims, [3, 4, 50, 60]);
  assert.equal(raw(data as Float32Array), raw(mixed));
  assert.equal(problems, []);
  await end();
});

const TEXTS: readonly (readonly [name: string, texts: readonly string[]])[] = [
  ['halves', ['1', '-2', '65504', '5.9604645e-8']],
  ['large', ['9007199254740993', '-5']],
  ['nibbles', ['-1', '-8', '1', '2', '7', '0']],
  ['words', ['"<b>a</b>"', '"é"']],
  ['number', ['0.1']],
  ['sparse0', ['0', '3', '0', '0', '0', '0', '0', '0', '0', '0', '-4', '0']],
];

test('every type is read: halves, 64 bits, nibbles, strings, scalars, sparse ones', async () => {
  const { page, problems, close: end } = await opened();
  for (const [name, texts] of TEXTS) {
    await look(page, name);
    await comesTo(() => read(page), texts, name);
    await close(page);
  }
  await look(page, 'nothing');
  await page.getByText('This tensor is empty.').waitFor();
  assert.equal(problems, []);
  await end();
});

test('kernels are tiles in colour; a matrix has a scale', async () => {
  const { page, problems, close: end } = await opened();
  await look(page, 'kernels');
  const image = page.getByRole('img', { name: /16 kernels of 5 × 5, in color/ });
  await image.waitFor();
  assert.equal(await image.evaluate((canvas) => [canvas.getAttribute('width'), canvas.getAttribute('height')]), [
    '23',
    '23',
  ]);
  const painted = () =>
    image.evaluate((canvas) => [
      ...((canvas as HTMLCanvasElement).getContext('2d')?.getImageData(0, 0, 6, 1).data ?? []),
    ]);
  await comesTo(async () => (await painted())[3], 255);
  const pixels = await painted();
  const kernels = evenly(16 * 75, 3);
  const sorted = kernels.toSorted();
  const [low, high] = [0.005, 0.995].map((share) => sorted[Math.round(share * (sorted.length - 1))] as number) as [
    number,
    number,
  ];
  for (const colour of [0, 1, 2]) {
    const expected = Math.max(0, Math.min(255, (255 * ((kernels[colour * 25] as number) - low)) / (high - low)));
    assert.ok(Math.abs((pixels[colour] as number) - expected) <= 2, `${pixels.slice(0, 3)}: ${expected}`);
  }
  assert.is(pixels[4 * 5 + 3], 0, 'a gap between tiles is clear');
  await close(page);
  await look(page, 'mixed');
  await page.getByRole('img', { name: /600 × 60 matrix; colors from -/ }).waitFor();
  assert.equal(problems, []);
  await end();
});

test('the list is sorted by what its columns say', async () => {
  const { page, problems, close: end } = await opened();
  const table = page.getByRole('table', { name: 'Weights' });
  const names = () => table.locator('.weight .link').allInnerTexts();
  await table.getByRole('button', { name: 'mixed' }).waitFor();
  await comesTo(async () => (await names())[0], 'mixed');
  await table.getByRole('row').filter({ hasText: 'sparse0' }).getByText('83.3 %').waitFor();
  await table.getByRole('button', { name: 'Zeros' }).click();
  await table.getByRole('columnheader', { name: 'Zeros' }).and(page.locator('[aria-sort=descending]')).waitFor();
  await comesTo(async () => (await names())[0], 'sparse0');
  await table.getByRole('button', { name: 'Name' }).click();
  await table.getByRole('columnheader', { name: 'Name' }).and(page.locator('[aria-sort=ascending]')).waitFor();
  await comesTo(names, (await names()).toSorted());
  await comesTo(() => table.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort'), 'ascending');
  assert.equal(problems, []);
  await end();
});

const bytes = { dataType: 3, dims: [2, 4], int32Data: [1, 2, 3, 4, 5, 6, 7, 8] };
const read8 = (input: readonly string[], attribute: readonly object[]) => ({
  opType: 'DequantizeLinear',
  input,
  output: [`${input[0]}_real`],
  attribute,
});
const whole = (name: string, i: number) => ({ name, type: 2, i });

/** Scales along an axis with zero points, and scales of blocks. */
const QUANTISED = {
  irVersion: 10,
  opsetImport: [{ domain: '', version: 21 }],
  graph: {
    name: 'quantised',
    initializer: [
      { name: 'along', ...bytes },
      { name: 'along_scale', ...FLOAT, dims: [2], floatData: [0.5, 2] },
      { name: 'along_zero', dataType: 3, dims: [2], int32Data: [1, 0] },
      { name: 'blocks', ...bytes },
      { name: 'blocks_scale', ...FLOAT, dims: [2, 2], floatData: [1, 2, 3, 4] },
    ],
    output: [{ name: 'along_real' }, { name: 'blocks_real' }],
    node: [
      read8(['along', 'along_scale', 'along_zero'], [whole('axis', 0)]),
      read8(['blocks', 'blocks_scale'], [whole('axis', 1), whole('block_size', 2)]),
    ],
  },
};

test('quantised weights are shown as the numbers that they stand for', async () => {
  const { page, problems, close: end } = await openStudio();
  await openFiles(page, written('quantised.onnx', QUANTISED));
  for (const [name, texts] of [
    ['along', ['0', '0.5', '1', '1.5', '10', '12', '14', '16']],
    ['blocks', ['1', '2', '6', '8', '15', '18', '28', '32']],
  ] as const) {
    await page.getByRole('tab', { name: 'Find' }).click();
    await page.getByRole('combobox', { name: 'Find in the model' }).fill(`"${name}"`);
    await page.keyboard.press('Enter');
    const details = page.getByRole('complementary', { name: 'Details' });
    await details.getByRole('heading', { name, exact: true }).waitFor();
    await details.getByRole('button', { name: 'View dequantized values' }).click();
    await page.getByRole('dialog').waitFor();
    await comesTo(() => read(page), [...texts], name);
    await close(page);
    await page.getByRole('tab', { name: 'Model' }).click();
  }
  assert.equal(problems, []);
  await end();
});

const MANY = 100_000_000;

/** A model whose one tensor has 100 million numbers in a file beside it, and a hundredth of them, which repeats. */
function large() {
  const folder = mkdtempSync(join(tmpdir(), 'studio-'));
  const path = (name: string) => join(folder, name);
  const piece = evenly(MANY / 100, 5);
  const file = openSync(path('weights.bin'), 'w');
  for (let i = 0; i < 100; i++) writeSync(file, raw(piece));
  closeSync(file);
  const externalData = [{ key: 'location', value: 'weights.bin' }];
  const many = { name: 'many', ...FLOAT, dims: [10_000, MANY / 10_000], dataLocation: 1, externalData };
  writeFileSync(path('model.onnx'), readFileSync(modelOfTensors([many])));
  return { folder, piece, files: [path('model.onnx'), path('weights.bin')] };
}

test('100 million values of a file beside the model are counted and painted', async () => {
  const { folder, piece, files } = large();
  const { mean, deviation } = figures(piece);
  {
    const { page, problems, close: end } = await openStudio();
    await openFiles(page, files);
    await page.getByRole('tab', { name: 'Weights' }).click();
    await page.getByRole('button', { name: 'Read all 400 MB' }).waitFor();
    const dialog = await look(page, 'many');
    await page.getByRole('img', { name: /10000 × 10000 matrix/ }).waitFor();
    const facts = (await dialog.locator('.facts').innerText()).split('\n');
    for (const [title, expected] of Object.entries({ Mean: mean, 'Standard deviation': deviation }))
      assert.is(Number(facts[facts.indexOf(title) + 1]).toPrecision(4), expected.toPrecision(4), title);
    assert.equal(problems, []);
    await end();
  }
  rmSync(folder, { recursive: true });
});

test.run();
