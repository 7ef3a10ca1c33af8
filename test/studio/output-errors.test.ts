import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Tensor } from '../../src/index.js';
import { readNpy } from '../../src/tensor/npy.js';
import { loadModel, sensitivity } from '../../src/tools/index.js';
import { closeStudio, openFiles, openStudio } from './studio-page.js';
import { comesTo } from './waiting.js';

const test = suite('studio/output errors');
test.after(closeStudio);

const digits = (file: string) => new URL(`../../examples/digits/${file}`, import.meta.url).pathname;

/** Sixty of the 360 images, as a file: each layer is tried on all of them. */
function images(): Buffer {
  const all = readFileSync(digits('images.npy'));
  const begin = all.indexOf('\n') + 1;
  const header = all.toString('latin1', 0, begin).replace('(360, 8, 8)', '( 60, 8, 8)');
  return Buffer.concat([Buffer.from(header, 'latin1'), all.subarray(begin, begin + 60 * 64)]);
}

/** The samples that the page makes of the images, one by one. */
function samples(): { image: Tensor }[] {
  const { data } = readNpy(images());
  const pixels = Float32Array.from(data as Uint8Array, (byte) => byte / 255);
  return Array.from({ length: pixels.length / 64 }, (_, i) => ({
    image: new Tensor('float32', pixels.slice(64 * i, 64 * (i + 1)), [1, 1, 8, 8]),
  }));
}

test('layers are ranked by what each does to the output of the model, the worst first, unless that is cancelled', async () => {
  const { page, problems, close } = await openStudio();
  await openFiles(page, digits('model.onnx'));
  await page.getByRole('tab', { name: 'Quantize' }).click();
  await page.locator('input[type=file][multiple]').setInputFiles({
    name: 'images.npy',
    mimeType: 'application/octet-stream',
    buffer: images(),
  });
  await page.getByRole('button', { name: 'Quantize', exact: true }).click();
  const outcome = page.getByRole('region', { name: 'Result' });
  await outcome.getByRole('button', { name: 'Rank by model output' }).click();
  await page.getByRole('banner').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('banner').getByRole('button', { name: 'Cancel' }).waitFor({ state: 'detached' });
  assert.is(await outcome.getByRole('columnheader', { name: 'Model output' }).count(), 0);

  await outcome.getByRole('button', { name: 'Rank by model output' }).click();
  await outcome.getByRole('columnheader', { name: 'Model output' }).waitFor();
  const rows = await outcome
    .locator('.layer-errors tbody tr')
    .evaluateAll((all) =>
      all.map((row) => [...row.querySelectorAll('td')].slice(0, 2).map((cell) => cell.textContent ?? '')),
    );
  const names = rows.map(([name = '']) => name.replace(/ \w+$/, ''));
  assert.equal(names, [...new Set(names)], 'no node has two rows');
  const shown = rows.flatMap(([, error = ''], i) =>
    error === '' ? [] : [{ name: names[i], score: parseFloat(error) }],
  );
  const expected = await sensitivity(await loadModel(digits('model.onnx')), samples(), { perChannel: true });
  assert.equal(shown.map(({ name }) => name).toSorted(), expected.map(({ name }) => name).toSorted());
  assert.equal(
    shown.map(({ score }) => score),
    expected.map(({ score }) => Number(score.toFixed(1))),
  );
  await comesTo(
    () => page.getByRole('img', { name: /^Colors: / }).getAttribute('aria-label'),
    /^Colors: Noise in the model output/,
  );
  assert.equal(problems, []);
  await close();
});

test.run();
