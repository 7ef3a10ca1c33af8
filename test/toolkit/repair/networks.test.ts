import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { samplesIn } from '../../../src/cli/samples.js';
import type { Feeds } from '../../../src/index.js';
import {
  adaRound,
  correctBias,
  equalize,
  loadModel,
  type Model,
  quantizationError,
  quantizeStatic,
  saveModel,
  smooth,
} from '../../../src/tools/index.js';
import { open } from '../../session/run-model.js';
import { isAtLeast, sampled } from '../../tier.js';
import { networks } from '../check/models.js';
import { checked, type Values } from '../quantize/runs.js';

const test = sampled(suite('repairs of whole networks'), { ci: 1 / 3 });

async function firstSample(model: Model, path: string): Promise<Feeds> {
  for await (const feeds of samplesIn(dirname(path), model)) return feeds;
  throw new Error(`${path} has no data`);
}

/** All outputs that are floats, one behind the other. */
async function outputsOf(bytes: Uint8Array, feeds: Feeds): Promise<Float32Array> {
  const session = await open(bytes);
  const results = Object.values((await session.run(feeds)) as Values);
  await session.release();
  return Float32Array.from(
    results.flatMap(({ type, data }) => (type === 'float32' ? [...(data as Float32Array)] : [])),
  );
}

function apart(found: Float32Array, expected: Float32Array): number {
  assert.is(found.length, expected.length);
  const square = (sum: number, x: number) => sum + x * x;
  const errors = found.map((x, i) => x - (expected[i] as number));
  return Math.sqrt(errors.reduce(square, 0) / (expected.reduce(square, 0) || 1));
}

const EQUALIZED = [
  'digits_cnn_trained',
  'mobilenet_v2',
  'mobilenet_v3_small',
  'squeezenet1_1',
  'ssdlite320',
  'unet_small',
];
const SMOOTHED = ['gpt_mini'];

for (const path of networks()) {
  const name = basename(dirname(path));
  test(`${name} gives the same, equalised and smoothed`, async () => {
    const model = await loadModel(path);
    const feeds = await firstSample(model, path);
    const [equal, smoothed] = [await equalize(model), await smooth(model, [feeds])];
    assert.is(equal !== model, EQUALIZED.includes(name));
    assert.is(smoothed !== model, SMOOTHED.includes(name));
    for (const made of [equal, smoothed].filter((made) => made !== model)) {
      const distance = apart(
        await outputsOf(await checked(made), feeds),
        await outputsOf(await saveModel(model), feeds),
      );
      assert.ok(distance < 2e-5, `${distance}`);
    }
  });

  // Before tier all, accuracy.test.ts repairs a smaller model with its weights outside of its file.
  if (name === 'squeezenet1_1' && isAtLeast('all'))
    test(`${name}, with its weights in another file, is nearer once it is repaired`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'repair-'));
      try {
        await saveModel(await loadModel(path), join(folder, 'model.onnx'), {
          externalData: { threshold: 0, location: 'w' },
        });
        const model = await loadModel(join(folder, 'model.onnx'));
        const feeds = [await firstSample(model, path)];
        const plain = await quantizeStatic(model, feeds);
        const repaired = await correctBias(model, await adaRound(model, plain, feeds), feeds);
        const last = async (made: Model) =>
          (await quantizationError(model, made, feeds)).activations.at(-1)?.accumulated;
        const [before = 0, after = 0] = [await last(plain), await last(repaired)];
        assert.ok(after > before + 1, `${before} dB, then ${after}`);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
}

test.run();
