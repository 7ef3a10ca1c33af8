// Regions whose corners are tenths, so that areas, sides and thresholds are all but equal: by float32, as in onnxruntime. Swept against
// onnxruntime-node 1.30 over 1500 sets each of MaxRoiPool, RoiAlign, CropAndResize and NonMaxSuppression: no difference.

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { float, modelBuilder, tensor } from '../../../src/builder/index.js';
import { InferenceSession, type SessionOptions } from '../../../src/index.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { randomly } from '../../session/run-model.js';
import { byTier } from '../../tier.js';

const test = suite('regions in float32');

const COUNT = 12;
const f = Math.fround;
const WAYS: Readonly<Record<string, SessionOptions>> = {
  kernels: {},
  reference: { executionProviders: ['reference'] },
};

type Box = readonly [number, number, number, number];

/** Edges [low, low, high, high] of two axes, and the area. */
function edgesOf([a, b, c, d]: Box, centered: boolean): number[] {
  const edges = centered ? [b - d / 2, a - c / 2, b + d / 2, a + c / 2] : [a, b, c, d];
  const [top, left, bottom, right] = edges.map(f) as [number, number, number, number];
  return [top, left, bottom, right, f(f(bottom - top) * f(right - left))];
}

function overlapOf(a: readonly number[], b: readonly number[]): number {
  const [height, width] = [0, 1].map((i) =>
    f(Math.min(a[i + 2] as number, b[i + 2] as number) - Math.max(a[i] as number, b[i] as number)),
  ) as [number, number];
  if (height <= 0 || width <= 0) return 0;
  const shared = f(height * width);
  return f(shared / f(f((a[4] as number) + (b[4] as number)) - shared));
}

function selected(boxes: readonly Box[], scores: readonly number[], threshold: number, centered: boolean): number[] {
  const edges = boxes.map((box) => edgesOf(box, centered));
  const order = [...scores.keys()].filter((i) => (scores[i] as number) > f(0.2));
  order.sort((i, j) => (scores[j] as number) - (scores[i] as number) || i - j);
  const kept: number[] = [];
  for (const i of order)
    if (kept.every((j) => overlapOf(edges[i] as number[], edges[j] as number[]) <= f(threshold))) kept.push(i);
  return kept;
}

for (const [way, options] of Object.entries(WAYS))
  for (const threshold of [0.3, 0.5, 0.7])
    for (const centered of [false, true])
      test(`NonMaxSuppression above ${threshold}, ${centered ? 'centers' : 'corners'}, ${way}`, async () => {
        const b = modelBuilder({ opset: 17 });
        const inputs = [b.input('boxes', 'float32', [1, COUNT, 4]), b.input('scores', 'float32', [1, 1, COUNT])];
        const limits = [
          tensor('int64', [1], [BigInt(COUNT)]),
          tensor('float32', [1], [threshold]),
          tensor('float32', [1], [0.2]),
        ];
        const constants = limits.map((value, i) => b.constant(`limit ${i}`, value));
        b.output('y', b.op('NonMaxSuppression', [...inputs, ...constants], { center_point_box: Number(centered) }));
        const session = await InferenceSession.create(b.toBytes(), { intraOpNumThreads: 1, ...options });
        const next = randomly(11);
        const tenths = (from: number, to: number) => f(Math.round(10 * (from + (to - from) * next())) / 10);
        for (let n = byTier({ quick: 60, ci: 400, all: 5000 }); n > 0; n--) {
          const boxes = Array.from(
            { length: COUNT },
            (): Box => [tenths(0, 1), tenths(0, 1), tenths(1.1, 2), tenths(1.1, 2)],
          );
          const scores = Array.from({ length: COUNT }, () => tenths(0, 1));
          const feeds = {
            boxes: tensor('float32', [1, COUNT, 4], boxes.flat()),
            scores: tensor('float32', [1, 1, COUNT], scores),
          };
          const { data } = (await session.run(feeds)).y as TensorValue;
          const actual = Array.from(data as BigInt64Array, Number).filter((_, i) => i % 3 === 2);
          assert.equal(actual, selected(boxes, scores, threshold, centered), JSON.stringify({ boxes, scores }));
        }
        await session.release();
      });

/** onnxruntime-node 1.30: the region is 3.0000002 pixels high, and takes two samples a bin, where a product of the difference takes one. */
const SAMPLED = [4.495000839233398, 4.745000839233398, 4.995000839233398];

test('how many samples RoiAlign takes follows from corners that are scaled first', async () => {
  const b = modelBuilder({ opset: 17 });
  const x = tensor(
    'float32',
    [1, 1, 12, 14],
    Array.from({ length: 12 * 14 }, (_, i) => i),
  );
  const inputs = [x, tensor('float32', [1, 4], [4.8, 0.8, 7.3, 10.8]), tensor('int64', [1], [0n])];
  const values = inputs.map((value, i) => b.input(`x${i}`, value.type, value.dims));
  b.output('y', b.op('RoiAlign', values, { output_height: 3, output_width: 3, spatial_scale: float(0.3) }));
  for (const options of Object.values(WAYS)) {
    const session = await InferenceSession.create(b.toBytes(), { intraOpNumThreads: 1, ...options });
    const { data } = (await session.run(Object.fromEntries(inputs.map((value, i) => [`x${i}`, value]))))
      .y as TensorValue;
    for (const [i, wanted] of SAMPLED.entries())
      assert.ok(Math.abs((data[i] as number) - wanted) < 1e-4, `${data[i]}, not ${wanted}`);
    await session.release();
  }
});

test.run();
