import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import type { Value } from '../../src/graph/graph.js';
import { readValue } from '../../src/model/read-values.js';
import { readNpy } from '../../src/tensor/npy.js';
import { shared } from '../shared-data.js';
import { leading } from '../tier.js';
import { closeStudio, openFiles, openStudio, type Page } from './studio-page.js';
import { comesTo } from './waiting.js';

const test = leading(suite('the studio runs models'), { ci: 3 });
test.after(closeStudio);

const DIGITS = fileURLToPath(new URL('../../examples/digits', import.meta.url));

async function openRun(page: Page, model: string): Promise<void> {
  await openFiles(page, model);
  await page.getByRole('tab', { name: 'Run' }).click();
  await page
    .getByRole('group', { name: /^Input / })
    .first()
    .waitFor();
}

const choose = (page: Page, input: string, source: string) =>
  page
    .getByRole('group', { name: `Input ${input}` })
    .getByLabel(/^Source/)
    .selectOption({ label: source });

/** Draws strokes on the pad, in parts of its size. */
async function draw(page: Page, strokes: readonly (readonly (readonly [number, number])[])[]): Promise<void> {
  const box = await page.getByRole('application', { name: /^Drawing/ }).boundingBox();
  assert.ok(box);
  const place = ([x, y]: readonly [number, number]) => [box.x + x * box.width, box.y + y * box.height] as const;
  for (const stroke of strokes) {
    await page.mouse.move(...place(stroke[0] as [number, number]));
    await page.mouse.down();
    for (const point of stroke.slice(1)) await page.mouse.move(...place(point), { steps: 4 });
    await page.mouse.up();
  }
}

const ONE = [
  [
    [0.5, 0.08],
    [0.5, 0.92],
  ],
] as const;
const ZERO = [
  [...Array(25)].map((_, i) => [0.5 + 0.26 * Math.sin(i / 3.82), 0.5 - 0.38 * Math.cos(i / 3.82)] as const),
];

test('a digit that is drawn is read, live', async () => {
  const { page, problems, close } = await openStudio();
  await openRun(page, join(DIGITS, 'model.onnx'));
  await choose(page, 'image', 'Drawing');
  await page.getByRole('button', { name: 'Live' }).click();
  const top = page.getByRole('table', { name: 'Top classes of probabilities' }).getByRole('rowheader').first();
  await draw(page, ZERO);
  await page.waitForFunction(() => document.querySelector('.labels th')?.textContent === '0');
  await page.getByRole('button', { name: 'Clear' }).click();
  await draw(page, ONE);
  await page.waitForFunction(() => document.querySelector('.labels th')?.textContent === '1');
  await comesTo(() => top.innerText(), '1');
  await comesTo(() => page.getByRole('article', { name: /^Run/ }).count(), 1);
  // A digit in a corner is centered and scaled before the model sees it.
  await page.getByRole('button', { name: 'Clear' }).click();
  await draw(page, [ZERO[0]?.map(([x, y]) => [x * 0.4, y * 0.4] as const) ?? []]);
  await page.waitForFunction(() => document.querySelector('.labels th')?.textContent === '0');
  await page.getByRole('img', { name: 'image as it is' }).waitFor();
  const seen = page.getByRole('img', { name: 'image as the model sees it' });
  assert.is(await seen.getAttribute('width'), '8');
  assert.equal(problems, []);
  await close();
});

test('scores of classes have their softmax beside them', async () => {
  const b = modelBuilder({ opset: 21 });
  b.output('scores', b.op('Neg', [b.input('x', 'float32', [1, 3])]));
  const path = join(mkdtempSync(join(tmpdir(), 'studio-')), 'scores.onnx');
  writeFileSync(path, b.toBytes());
  const { page, problems, close } = await openStudio();
  await openRun(page, path);
  await choose(page, 'x', 'Typed values');
  await page.getByLabel('Values in row-major order').fill('0, -1, 2');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const rows = page.getByRole('table', { name: 'Top classes of scores' }).locator('tbody tr');
  assert.match(await rows.first().innerText(), /^1\s+1\.00\s+70\.5 %/);
  assert.equal(problems, []);
  await close();
});

/** Where the letters of an element's text stand, from the left. */
const placesOf = (element: Element): number[] => {
  const text = element.firstChild as Text;
  return Array.from(text.data, (_, i) => {
    const range = document.createRange();
    range.setStart(text, i);
    range.setEnd(text, i + 1);
    return range.getBoundingClientRect().left;
  });
};

test('inputs and sizes may be called what objects have by themselves, and types stand as they are written', async () => {
  const b = modelBuilder({ opset: 21 });
  const [one, other] = ['constructor', '__proto__'].map((name) => b.input(name, 'float32', ['toString', 2]));
  b.output('y', b.op('Sub', [one as Value, other as Value]));
  b.output('toString', b.op('Add', [one as Value, other as Value]));
  b.output('z', b.op('Neg', [b.input('קלט', 'float32', ['שורות', 'valueOf', 3])]));
  const path = join(mkdtempSync(join(tmpdir(), 'studio-')), 'names.onnx');
  writeFileSync(path, b.toBytes());
  const { page, problems, close } = await openStudio();
  await openRun(page, path);
  for (const [name, text] of [
    ['constructor', '5, 7'],
    ['__proto__', '1, 2'],
  ] as const) {
    await choose(page, name, 'Typed values');
    await page
      .getByRole('group', { name: `Input ${name}` })
      .getByLabel('Values in row-major order')
      .fill(text);
  }
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const run = page.getByRole('article', { name: /^Run/ });
  await run.getByLabel('Elements of y').getByText('4 5').waitFor();
  await run.getByLabel('Elements of toString').getByText('6 9').waitFor();
  const type = page.getByRole('group', { name: 'Input קלט' }).locator('.mono').first();
  const letters = await type.innerText();
  assert.is(letters.replaceAll(/[\u2068\u2069]/g, ''), 'float32[שורות, valueOf, 3]');
  const places = await type.evaluate(placesOf);
  const inOrder = ['[', 'ת', ', valueOf', '3', ']'].map((part) => places[letters.lastIndexOf(part)] as number);
  assert.equal(
    inOrder,
    inOrder.toSorted((a, b) => a - b),
    'from the left to the right',
  );
  assert.equal(problems, []);
  await close();
});

test('outputs may be called what every object has', async () => {
  const b = modelBuilder({ opset: 21 });
  const x = b.input('x', 'float32', [2]);
  b.output('__proto__', b.op('Neg', [x]));
  b.output('constructor', b.op('Abs', [x]));
  const path = join(mkdtempSync(join(tmpdir(), 'studio-')), 'outputs.onnx');
  writeFileSync(path, b.toBytes());
  const { page, problems, close } = await openStudio();
  await openRun(page, path);
  await choose(page, 'x', 'Typed values');
  await page.getByLabel('Values in row-major order').fill('3, -4');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const run = page.getByRole('article', { name: /^Run/ });
  await run.getByLabel('Elements of __proto__').getByText('-3 4').waitFor();
  await run.getByLabel('Elements of constructor').getByText('3 4').waitFor();
  await page.getByRole('tab', { name: 'Understand' }).click();
  await page.getByRole('button', { name: 'Capture' }).click();
  const value = page.getByRole('table', { name: 'Values in this run' }).getByRole('button', { name: '__proto__' });
  await value.click();
  await page.getByRole('dialog', { name: '__proto__' }).getByText('-3', { exact: true }).first().waitFor();
  assert.equal(problems, []);
  await close();
});

interface Numbers {
  readonly dims: readonly number[];
  readonly data: Float32Array | BigInt64Array;
}

/** A tensor of one of ONNX's test data sets. */
const tensorIn = (model: string, file: string) =>
  readValue(readFileSync(join(model, 'test_data_set_0', file))) as unknown as Numbers;

async function feedFile(page: Page, input: string, file: string): Promise<void> {
  await choose(page, input, 'File');
  await page
    .getByRole('group', { name: `Input ${input}` })
    .locator('input[type=file]')
    .setInputFiles(file);
}

const models = shared('models');
test('boxes of ssdlite320 are those of PyTorch, drawn over the picture', async () => {
  const model = join(models, 'ssdlite320');
  const { page, problems, close } = await openStudio();
  await openRun(page, join(model, 'model.onnx'));
  await feedFile(page, 'image', join(model, 'test_data_set_0', 'input_0.pb'));
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const boxes = page.getByRole('table', { name: 'Boxes' });
  await boxes.waitFor();
  await page.getByLabel(/^Minimum score/).fill('0.1');
  const [expected, scores] = ['output_0.pb', 'output_1.pb'].map((file) => tensorIn(model, file));
  const first = [...(scores?.data ?? [])].map(Number).indexOf(Math.max(...[...(scores?.data ?? [])].map(Number)));
  const row = await boxes.getByRole('row').nth(1).getByRole('cell').last().innerText();
  const shown = row.split(', ').map(Number);
  const wanted = Array.from(expected?.data.slice(4 * first, 4 * first + 4) ?? [], Number);
  for (const [i, x] of shown.entries())
    assert.ok(Math.abs(x - (wanted[i] as number)) <= 0.6, `${shown} is not ${wanted}`);
  await comesTo(() => page.locator('figcaption').first().innerText(), new RegExp(`of ${scores?.dims[0]} boxes`));
  assert.equal(problems, []);
  await close();
});

test('numbers typed are fed, and outputs saved are those of scikit-learn', async () => {
  const model = join(models, 'iris_pipeline_trained');
  const { page, problems, close } = await openStudio();
  await openRun(page, join(model, 'model.onnx'));
  const { dims, data } = tensorIn(model, 'input_0.pb');
  await choose(page, 'X', 'Typed values');
  await page.getByLabel('Values in row-major order').fill([...data].join(', '));
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save p as .npy' }).click();
  const { data: found, dims: shape } = readNpy(readFileSync(await (await saved).path()));
  const wanted = tensorIn(model, 'output_1.pb');
  assert.equal([shape[0], [...shape]], [dims[0], [...wanted.dims]]);
  for (const [i, x] of wanted.data.entries()) assert.ok(Math.abs(Number(x) - Number(found[i])) < 1e-5);
  assert.equal(problems, []);
  await close();
});

test('runs stay side by side with their settings, and what cannot be fed says why', async () => {
  const { page, close } = await openStudio();
  await openRun(page, join(models, 'unet_small', 'model.onnx'));
  await page.getByLabel('h', { exact: true }).fill('32');
  await page.getByLabel('w', { exact: true }).fill('48');
  await page.getByLabel('w', { exact: true }).blur();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('article', { name: 'Run 1' }).waitFor();
  await page.getByLabel('Optimization').selectOption('disabled');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const second = page.getByRole('article', { name: 'Run 2' });
  await comesTo(() => second.innerText(), /not optimized/);
  await comesTo(() => second.innerText(), /float32\[1, 2, 32, 48\]/);
  await comesTo(() => page.getByRole('article', { name: 'Run 1' }).innerText(), /optimized/);
  const [one, other] = await Promise.all(['Run 1', 'Run 2'].map((name) => numbersIn(page, name)));
  for (const [i, x] of (one ?? []).entries()) assert.ok(Math.abs(x - (other?.[i] as number)) < 1e-3);
  await choose(page, 'input', 'Typed values');
  await page.getByLabel('Values in row-major order').fill('1, two');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const message = page.getByRole('log', { name: 'Messages' });
  await message.getByText('"two" is not a number').waitFor();
  await close();
});

async function numbersIn(page: Page, run: string): Promise<number[]> {
  const text = await page.getByRole('article', { name: run }).getByRole('region').first().innerText();
  return text
    .split(/\s+/)
    .filter((word) => word !== '…')
    .map(Number);
}

test.run();
