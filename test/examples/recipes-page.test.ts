import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { npm } from '../npm.js';
import { shared } from '../shared-data.js';
import { hasChromium, type Page, startChromium, startChromiumIn, until } from './browser.js';
import { exampleFolder, install } from './installed-example.js';
import { DIGITS_MODEL, digit, file, scratch } from './recipe-data.js';
import { redFinder, tones, VOCABULARY } from './recipe-models.js';
import { type Box, filmed, spoken } from './recordings.js';
import { serveFolder } from './static-site.js';

const test = suite('recipes in pages');
const recipes = exampleFolder('recipes');
const models = shared('models');

const FRAME = { width: 640, height: 480 };
const RED: Box = { left: 160, top: 120, right: 480, bottom: 360 };

/** Where the page has drawn. */
const DRAWN = `(() => {
  const canvas = document.getElementById('boxes');
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const drawn = Array.from({ length: canvas.width * canvas.height }, (_, i) => i).filter((i) => data[4 * i + 3] > 200);
  const [x, y] = [drawn.map((i) => i % canvas.width), drawn.map((i) => Math.floor(i / canvas.width))];
  const ends = (at) => at.reduce(([low, high], v) => [Math.min(low, v), Math.max(high, v)], [Infinity, -Infinity]);
  return { width: canvas.width, height: canvas.height, ends: [...ends(x), ...ends(y)] };
})()`;

interface Visit {
  readonly page: Page;
  readonly address: string;
}

/** Opens pages of the recipes in Chromium with these flags. */
async function visit(flags: readonly string[], work: (visit: Visit) => Promise<void>): Promise<void> {
  const site = await serveFolder(recipes, { vary: 'Origin' });
  const browser = await startChromium(...flags);
  try {
    const page = await (await browser.newContext()).newPage();
    await work({ page, address: site.address });
  } finally {
    await browser.close();
    await site.stop();
  }
}

const says = (page: Page, place: string, text: RegExp) =>
  until(page, `Promise.resolve(${text}.test(document.getElementById('${place}').textContent))`);

if (hasChromium() && install(recipes)) {
  const CAMERA = ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream'];

  test('detect objects from a camera', async () => {
    writeFileSync(join(recipes, 'red.onnx'), redFinder(320));
    const film = file('red.y4m', filmed(FRAME.width, FRAME.height, RED));
    await visit([...CAMERA, `--use-file-for-fake-video-capture=${film}`], async ({ page, address }) => {
      await page.goto(`${address}camera.html?model=red.onnx`);
      await says(page, 'state', /^1 found, \d+ ms$/);
      const { width, height, ends } = await page.evaluate<{ width: number; height: number; ends: number[] }>(DRAWN);
      assert.equal({ width, height }, FRAME);
      const expected = [RED.left, RED.right, RED.top, RED.bottom];
      for (const [i, end] of ends.entries())
        assert.ok(Math.abs(end - (expected[i] as number)) <= 6, `drawn at ${ends}, the box is at ${expected}`);
    });
  });

  test('detect objects with a network of torchvision', async () => {
    copyFileSync(join(models, 'ssdlite320/model.onnx'), join(recipes, 'ssdlite.onnx'));
    await visit(CAMERA, async ({ page, address }) => {
      await page.goto(`${address}camera.html?model=ssdlite.onnx`);
      await says(page, 'state', /^\d+ found, \d+ ms$/);
    });
  });

  test('say that there is no camera', () =>
    visit([], async ({ page, address }) => {
      writeFileSync(join(recipes, 'red.onnx'), redFinder(320));
      await page.goto(`${address}camera.html?model=red.onnx`);
      await says(page, 'state', /^This page may not use the camera\.$|not found/);
    }));

  test('transcribe', async () => {
    const folder = join(recipes, 'speech');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'model.onnx'), tones());
    writeFileSync(join(folder, 'vocab.json'), JSON.stringify(VOCABULARY));
    await visit([], async ({ page, address }) => {
      await page.goto(`${address}transcribe.html?model=speech/model.onnx`);
      await page.setInputFiles('#file', file('hello.wav', spoken('HELLO WORLD')));
      await says(page, 'text', /^(?!Transcribing)./);
      assert.is(await page.textContent('#text'), 'HELLO WORLD');
      await page.setInputFiles('#file', file('none.wav', 'no recording'));
      await says(page, 'text', /decode/i);
      await page.setInputFiles('#file', file('again.wav', spoken('WORLD')));
      await says(page, 'text', /^WORLD$/);
    });
  });

  test('cache offline', async () => {
    const model = join(recipes, 'kept.onnx');
    copyFileSync(DIGITS_MODEL, model);
    await visit([], async ({ page, address }) => {
      const here = `${address}cache-offline.html?model=kept.onnx`;
      await page.goto(here);
      await says(page, 'state', /^Ready: image to probabilities$/);
      rmSync(model);
      await page.goto(here);
      await says(page, 'state', /^Ready: image to probabilities$/);
      await page.goto(`${here}.none`);
      await says(page, 'state', /^The model cannot be loaded: .*404/);
    });
  });

  test('run in an extension', async () => {
    npm(recipes, ['run', 'extension']);
    const folder = join(recipes, 'extension');
    copyFileSync(DIGITS_MODEL, join(folder, 'model.onnx'));
    const flags = [`--disable-extensions-except=${folder}`, `--load-extension=${folder}`];
    const context = await startChromiumIn(join(scratch, 'profile'), ...flags);
    try {
      const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
      const page = await context.newPage();
      await page.goto(new URL('popup.html', worker.url()).href);
      for (const i of [0, 1, 2]) {
        await page.setInputFiles('#file', file(`digit${i}.png`, digit(i).png));
        await says(page, 'answer', new RegExp(`^class ${digit(i).label}, [\\d.]+ %$`));
      }
      await page.setInputFiles('#file', file('none.png', 'no picture'));
      await says(page, 'answer', /no picture/);
    } finally {
      await context.close();
    }
  });
}

test.run();
