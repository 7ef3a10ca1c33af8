import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import type { Value } from '../../src/graph/graph.js';
import { InferenceSession, Tensor } from '../../src/index.js';
import { readNpy } from '../../src/tensor/npy.js';
import { leading } from '../tier.js';
import { hasNative, runNatively } from '../toolkit/quantize/runs.js';
import { closeStudio, openFiles, openStudio } from './studio-page.js';
import { comesTo } from './waiting.js';

const test = leading(suite('studio/quantize'), { ci: 1 });
test.after(closeStudio);

const digits = (file: string) => new URL(`../../examples/digits/${file}`, import.meta.url).pathname;

/** Pixels of 0 … 1 by 255, which is what the page makes of bytes. */
const images = (): Tensor => {
  const { data } = readNpy(readFileSync(digits('images.npy')));
  const pixels = Float32Array.from(data as Uint8Array, (byte) => byte / 255);
  return new Tensor('float32', pixels, [pixels.length / 64, 1, 8, 8]);
};

/** What onnxruntime makes of them, where it is installed. */
const natively = async (model: Uint8Array): Promise<Float32Array | undefined> =>
  hasNative ? ((await runNatively(model, { image: images() })).probabilities?.data as Float32Array) : undefined;

/** Rows of numbers that a model gives for the images. */
async function probabilities(model: Uint8Array): Promise<Float32Array> {
  const session = await InferenceSession.create(model, { graphOptimizationLevel: 'disabled' });
  const { probabilities } = await session.run({ image: images() });
  return (probabilities as Tensor).data as Float32Array;
}

function decibels(exact: Float32Array, found: Float32Array): number {
  let [signal, noise] = [0, 0];
  for (const [i, x] of exact.entries()) {
    signal += x ** 2;
    noise += (x - (found[i] as number)) ** 2;
  }
  return 10 * Math.log10(signal / noise);
}

test('quantises the digits network with its images, says what is lost, and gives it away', async () => {
  const { page, problems, close } = await openStudio();
  await openFiles(page, digits('model.onnx'));
  await page.getByRole('tab', { name: 'Quantize' }).click();
  await page.locator('input[type=file][multiple]').setInputFiles(digits('images.npy'));
  await page.getByText('1 file, starting with images.npy').waitFor();
  await page.getByRole('button', { name: 'Quantize', exact: true }).click();
  const outcome = page.getByRole('region', { name: 'Result' });
  await outcome.waitFor();

  const given = page.waitForEvent('download');
  await outcome.getByRole('button', { name: 'Download' }).click();
  const download = await given;
  assert.is(download.suggestedFilename(), 'model-quantized.onnx');
  const bytes = readFileSync(await download.path());
  assert.ok(bytes.length < readFileSync(digits('model.onnx')).length / 2);

  const shown = await outcome.innerText();
  assert.match(shown, new RegExp(`→ ${(bytes.length / 1000).toFixed(1)} kB`));
  const expected = decibels(await probabilities(readFileSync(digits('model.onnx'))), await probabilities(bytes));
  assert.ok(Math.abs(Number(/probabilities\s+([\d.]+) dB/.exec(shown)?.[1]) - expected) < 0.5, `${shown}\n${expected}`);
  const theirs = await natively(bytes);
  if (theirs) assert.ok(decibels(theirs, await probabilities(bytes)) > expected + 20, 'of onnxruntime, too');
  assert.match(shown, /Measured on 360 samples/);
  assert.match(shown, /\/c2\/Conv Conv\s+[\d.]+ dB/);
  // A node has one row, and the one that adds the most noise to its output is the first.
  const nodes = await outcome.locator('.layer-errors tbody td:first-child').allInnerTexts();
  assert.equal(nodes, [...new Set(nodes)]);
  const ofAlone = (await outcome.locator('.layer-errors td:nth-child(4)').allInnerTexts()).filter(Boolean);
  const noise = ofAlone.map((text) => Number.parseFloat(text));
  assert.equal(
    noise,
    noise.toSorted((a, b) => a - b),
  );
  // The most noise of a layer alone, of the table's decibels, is the end of the heat's scale; put away, it is gone.
  const alone = await outcome.locator('.layer-errors td:nth-child(4)').allInnerTexts();
  const worst = Math.min(...alone.filter(Boolean).map((text) => Number.parseFloat(text)));
  const legend = page.getByRole('img', { name: /^Colors: Noise of each layer alone/ });
  const percent = Number(/up to ([\d.e-]+) %/.exec((await legend.getAttribute('aria-label')) ?? '')?.[1]);
  assert.ok(Math.abs(10 * Math.log10(100 / percent) - worst) < 0.1, `${percent} % ${worst} dB`);
  await page.getByRole('button', { name: 'Clear colors' }).click();
  await legend.waitFor({ state: 'detached' });
  assert.equal(problems, []);
  await close();
});

test('weights and biases have columns of their own, and a bias near zero is not ranked', async () => {
  const b = modelBuilder({ opset: 21 });
  const wave = (count: number, size: number) => Float32Array.from({ length: count }, (_, i) => size * Math.sin(i + 1));
  const layer = (name: string, from: Value, bias: number): Value => {
    const weights = b.constant(`${name}.w`, tensor('float32', [8, 8], wave(64, 1)));
    return b.op('Gemm', [from, weights, b.constant(`${name}.b`, tensor('float32', [8], wave(8, bias)))], {}, { name });
  };
  b.output('y', layer('second', layer('first', b.input('x', 'float32', [1, 8]), 1e-9), 0.5));
  const path = join(mkdtempSync(join(tmpdir(), 'studio-')), 'biases.onnx');
  writeFileSync(path, b.toBytes());
  const { page, problems, close } = await openStudio();
  await openFiles(page, path);
  await page.getByRole('tab', { name: /^Quanti[sz]e/ }).click();
  await page.getByRole('button', { name: /^Quanti[sz]e$/ }).click();
  const rows = page.getByRole('region', { name: 'Result' }).locator('.layer-errors tbody tr');
  await rows.first().waitFor();
  const cells = async (name: string) => rows.filter({ hasText: name }).locator('td').allInnerTexts();
  const [first, second] = [await cells('first'), await cells('second')];
  assert.match(first[1] as string, / dB$/);
  assert.is(first[2], '');
  assert.match(second[1] as string, / dB$/);
  assert.match(second[2] as string, / dB$/);
  assert.is(await rows.count(), 2);
  assert.equal(problems, []);
  await close();
});

test('a row of the errors leads to its node; the quantised model opens', async () => {
  const { page, problems, close } = await openStudio();
  await openFiles(page, digits('model.onnx'));
  await page.getByRole('tab', { name: 'Quantize' }).click();
  await page.getByRole('combobox', { name: 'Method' }).first().selectOption('weights');
  await page.getByRole('button', { name: 'Quantize', exact: true }).click();
  const outcome = page.getByRole('region', { name: 'Result' });
  await outcome.waitFor();
  await outcome.getByRole('button', { name: '/f1/Gemm' }).first().click();
  await page.getByRole('complementary', { name: 'Details' }).getByRole('heading', { name: 'Gemm' }).waitFor();
  await outcome.getByRole('button', { name: 'Open' }).click();
  await page.getByRole('tab', { name: 'Model' }).click();
  await page.getByRole('heading', { name: 'model-quantized.onnx' }).waitFor();
  await comesTo(() => page.getByRole('region', { name: 'Model' }).innerText(), /MatMulNBits/);
  assert.equal(problems, []);
  await close();
});

test('cancels, and says what samples are missing', async () => {
  const { page, problems, close } = await openStudio();
  await openFiles(page, digits('model.onnx'));
  await page.getByRole('tab', { name: 'Quantize' }).click();
  await page.locator('input[type=file][multiple]').setInputFiles({
    name: 'odd.npy',
    mimeType: 'application/octet-stream',
    buffer: Buffer.from('no array'),
  });
  await page.getByRole('button', { name: 'Quantize', exact: true }).click();
  await page.getByRole('log').getByText('these bytes are no .npy file').waitFor();
  await page.locator('input[type=file][multiple]').setInputFiles(digits('images.npy'));
  await page.getByLabel('adaround').check();
  await page.getByRole('button', { name: 'Quantize', exact: true }).click();
  await page.getByRole('banner').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('banner').getByRole('button', { name: 'Cancel' }).waitFor({ state: 'detached' });
  await comesTo(() => page.getByRole('region', { name: 'Result' }).count(), 0);
  assert.equal(problems, []);
  await close();
});

test.run();
