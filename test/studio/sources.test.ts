import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import { encodePng } from '../../src/log/png.js';
import type { ElementType } from '../../src/tensor/element-types.js';
import { readNpy, writeNpy } from '../../src/tensor/npy.js';
import { leading } from '../tier.js';
import { f32 } from '../values.js';
import { closeStudio, openFiles, openStudio, type Page } from './studio-page.js';
import { comesTo } from './waiting.js';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

const test = leading(suite<{ folder: string }>('what the studio feeds models, and shows of them'), { ci: 1 });
test.before((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'sardonyx-sources-'));
});
test.after(async ({ folder }) => {
  rmSync(folder, { recursive: true });
  await closeStudio();
});

/** A model that gives out what it is fed: whatever comes out has been fed so. */
function echo(folder: string, name: string, dims: readonly (number | string)[], type: ElementType = 'float32'): string {
  const b = modelBuilder({ opset: 20 });
  b.output(`${name}_out`, b.op('Identity', [b.input(name, type, dims as (number | string)[])]));
  const path = join(folder, `${name}.onnx`);
  writeFileSync(path, b.toBytes());
  return path;
}

const input = (page: Page, name: string) => page.getByRole('group', { name: `Input ${name}` });
const card = (page: Page) => page.getByRole('article', { name: /^Run/ }).first();

async function opened(page: Page, model: string, name: string, source: string): Promise<void> {
  await openFiles(page, model);
  await page.getByRole('tab', { name: 'Run', exact: true }).click();
  await input(page, name)
    .getByLabel(/^Source/)
    .selectOption({ label: source });
}

/** What a run's output is, as the page saves it. */
async function ran(page: Page, name: string) {
  const before = await page.getByRole('article', { name: /^Run/ }).count();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('article', { name: `Run ${before + 1}` }).waitFor();
  const saved = page.waitForEvent('download');
  await card(page)
    .getByRole('button', { name: `Save ${name}_out as .npy` })
    .click();
  return readNpy(readFileSync(await (await saved).path()));
}

/** The output of the command line for the same input. */
function commanded(folder: string, model: string, ...options: string[]) {
  const file = join(folder, 'expected.npy');
  const { status, stderr } = spawnSync(process.execPath, [CLI, 'run', model, ...options, '-o', file], {
    encoding: 'utf8',
  });
  assert.is(status, 0, stderr);
  return readNpy(readFileSync(file));
}

const SIDES = { width: 37, height: 23 };

/** A picture without two pixels alike. */
const drawn = (): Uint8Array =>
  Uint8Array.from({ length: SIDES.width * SIDES.height * 3 }, (_, i) => (i * 97 + (i >> 5) * 31) & 255);

test('a picture is what the command line makes of it, cut, bordered, stretched, by each normalization, blue first', async ({
  folder,
}) => {
  const model = echo(folder, 'picture', [1, 3, 16, 24]);
  const file = join(folder, 'picture.png');
  writeFileSync(file, await encodePng({ data: drawn(), ...SIDES }));
  const { page, problems, close } = await openStudio();
  await opened(page, model, 'picture', 'File');
  await input(page, 'picture').locator('input[type=file]').setInputFiles(file);
  assert.equal(await ran(page, 'picture'), commanded(folder, model, '-i', file));
  await card(page)
    .getByRole('figure')
    .getByText(/^black = /)
    .waitFor();
  for (const [fit, normalize, ...options] of [
    ['contain', 'imagenet', '--bgr'],
    ['stretch', 'bytes'],
    ['cover', 'signed', '--bgr'],
    ['cover', 'clip'],
  ] as const) {
    await input(page, 'picture').getByLabel('Fit').selectOption(fit);
    await input(page, 'picture').getByLabel('Pixel range').selectOption(normalize);
    await input(page, 'picture')
      .getByLabel('BGR channel order')
      .setChecked(options.length > 0);
    const expected = commanded(folder, model, '-i', file, '--fit', fit, '--normalize', normalize, ...options);
    assert.equal(await ran(page, 'picture'), expected, `${fit} ${normalize}`);
  }
  assert.equal(problems, []);
  await close();
});

test('arrays of .npy files, and numbers by a seed, are those of the command line', async ({ folder }) => {
  const model = echo(folder, 'rows', ['n', 5]);
  const array = f32(
    [3, 5],
    Float32Array.from({ length: 15 }, (_, i) => Math.sin(i) * 10 ** (i - 7)),
  );
  writeFileSync(join(folder, 'rows.npy'), writeNpy(array));
  const { page, problems, close } = await openStudio();
  await opened(page, model, 'rows', 'File');
  await input(page, 'rows').locator('input[type=file]').setInputFiles(join(folder, 'rows.npy'));
  const { dims, data } = await ran(page, 'rows');
  assert.equal([[...dims], [...(data as Float32Array)]], [[3, 5], [...(array.data as Float32Array)]]);
  await input(page, 'rows')
    .getByLabel(/^Source/)
    .selectOption({ label: 'Random values' });
  await input(page, 'rows').getByLabel('Seed').fill('7');
  await page.getByLabel('n', { exact: true }).fill('4');
  await page.getByLabel('n', { exact: true }).blur();
  assert.equal(await ran(page, 'rows'), commanded(folder, model, '--seed', '7', '--dim', 'n=4'));
  assert.equal(problems, []);
  await close();
});

const RATE = 16_000;

/** 16 bits of one channel in RIFF. */
function wav(samples: Float32Array): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + 2 * samples.length, 4);
  head.write('WAVEfmt ', 8);
  for (const [at, value] of [
    [16, 16],
    [24, RATE],
    [28, 2 * RATE],
    [40, 2 * samples.length],
  ] as const)
    head.writeUInt32LE(value, at);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const)
    head.writeUInt16LE(value, at);
  head.write('data', 36);
  return Buffer.concat([head, Buffer.from(Int16Array.from(samples, (x) => Math.round(x * 32767)).buffer)]);
}

test('sound of a file is fed as its samples, and sound that comes out is drawn and played', async ({ folder }) => {
  const samples = Float32Array.from({ length: 4000 }, (_, i) => 0.5 * Math.sin(i / 20));
  writeFileSync(join(folder, 'tone.wav'), wav(samples));
  const { page, problems, close } = await openStudio();
  await opened(page, echo(folder, 'audio', [1, 'samples']), 'audio', 'File');
  await input(page, 'audio').locator('input[type=file]').setInputFiles(join(folder, 'tone.wav'));
  const { dims, data } = await ran(page, 'audio');
  assert.equal([...dims], [1, samples.length]);
  for (const [i, x] of [...(data as Float32Array)].entries())
    assert.ok(Math.abs(x - (samples[i] as number)) < 1e-4, `${i}: ${x}`);
  const wave = card(page).getByRole('img', { name: 'Waveform of audio_out' });
  const inked = () =>
    wave.evaluate((canvas) => {
      const { width, height } = canvas as HTMLCanvasElement;
      const context = (canvas as HTMLCanvasElement).getContext('2d') as CanvasRenderingContext2D;
      const { data } = context.getImageData(0, 0, width, height);
      return data.filter((value, i) => i % 4 === 3 && value > 0).length / (width * height);
    });
  await comesTo(async () => (await inked()) > 0, true, 'it is drawn');
  const share = await inked();
  assert.ok(share > 0.15 && share < 0.55, `a tone of half the range covers ${share}`);
  const seconds = page.evaluate(PLAYED_SECONDS);
  await card(page).getByRole('button', { name: 'Play' }).click();
  assert.is(await seconds, samples.length / RATE);
  assert.equal(problems, []);
  await close();
});

/** In the page: how long the sound is that is played next. */
const PLAYED_SECONDS = `new Promise((resolve) => {
  const { start } = AudioBufferSourceNode.prototype;
  AudioBufferSourceNode.prototype.start = function (...when) {
    resolve(this.buffer.duration);
    return start.apply(this, when);
  };
})`;

/** Counts microphones and cameras that are opened. */
const COUNTING_STREAMS = `{
  const { mediaDevices } = navigator;
  const open = mediaDevices.getUserMedia.bind(mediaDevices);
  window.streams = 0;
  mediaDevices.getUserMedia = (of) => (window.streams++, open(of));
}`;

test('the microphone is recorded, at the rate that is asked for', async ({ folder }) => {
  const { page, problems, close } = await openStudio();
  await opened(page, echo(folder, 'speech', [1, 'samples']), 'speech', 'Microphone');
  await page.evaluate(COUNTING_STREAMS);
  await input(page, 'speech').getByRole('button', { name: 'Record' }).dblclick();
  await input(page, 'speech')
    .getByRole('timer')
    .getByText(/^[1-9]/)
    .waitFor();
  await input(page, 'speech').getByRole('button', { name: 'Stop' }).click();
  const said = input(page, 'speech').getByText(/^[\d.]+ s$/);
  await said.waitFor();
  const { data } = await ran(page, 'speech');
  const seconds = Number((await said.innerText()).split(' ')[0]);
  assert.ok(Math.abs(data.length / RATE - seconds) <= 0.06 && seconds > 0.5, `${data.length} samples, ${seconds} s`);
  assert.is(await page.evaluate('window.streams'), 1);
  // Chromium's microphone for tests beeps.
  assert.ok((data as Float32Array).some((x) => Math.abs(x) > 0.02));
  assert.equal(problems, []);
  await close();
});

test('the camera gives pictures, one or as they come', async ({ folder }) => {
  const { page, problems, close } = await openStudio();
  await opened(page, echo(folder, 'frame', [1, 3, 24, 32]), 'frame', 'Camera');
  await input(page, 'frame').getByRole('button', { name: 'Capture frame' }).click();
  await input(page, 'frame').getByText('320 × 240').waitFor();
  const { dims, data } = await ran(page, 'frame');
  assert.equal([...dims], [1, 3, 24, 32]);
  const [red, green] = [0, 1].map((channel) =>
    mean((data as Float32Array).subarray(768 * channel, 768 * (channel + 1))),
  );
  // Chromium's camera for tests shows a figure on green.
  assert.ok((green as number) > (red as number) + 0.2, `red ${red}, green ${green}`);
  await page.getByRole('button', { name: 'Live' }).click();
  const figure = card(page).getByRole('figure').locator('canvas');
  const before = await figure.evaluate(pixelsOf);
  await comesTo(async () => (await figure.evaluate(pixelsOf)) !== before, true, 'the picture moves');
  assert.equal(problems, []);
  await close();
});

const mean = (values: Float32Array): number => values.reduce((sum, x) => sum + x, 0) / values.length;
const pixelsOf = (canvas: Element): string => (canvas as HTMLCanvasElement).toDataURL();

test('a run of seconds is cancelled, and the next one runs', async ({ folder }) => {
  const b = modelBuilder({ opset: 20 });
  let x = b.input('x', 'float32', ['n', 512]);
  const w = b.constant('w', f32([512, 512], new Float32Array(512 * 512).fill(1 / 512)));
  for (let i = 0; i < 60; i++) x = b.op('Tanh', [b.op('MatMul', [x, w])]);
  b.output('y', x);
  writeFileSync(join(folder, 'slow.onnx'), b.toBytes());
  const { page, problems, close } = await openStudio();
  await opened(page, join(folder, 'slow.onnx'), 'x', 'Random values');
  const size = page.getByLabel('n', { exact: true });
  await size.fill('40000');
  await size.blur();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const cancel = page.getByRole('banner').getByRole('button', { name: 'Cancel' });
  await cancel.click();
  await cancel.waitFor({ state: 'detached' });
  assert.is(await page.getByRole('article', { name: /^Run/ }).count(), 0);
  await size.fill('2');
  await size.blur();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await card(page).getByText('float32[2, 512]').waitFor();
  assert.equal(await page.getByRole('log').locator('.notice').allInnerTexts(), []);
  assert.equal(problems, []);
  await close();
});

test.run();
