import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { lookAt } from '../../studio/src/workers/tensors/look.js';
import { planPicture } from '../../studio/src/workers/tensors/picture-plan.js';
import { PIECE, sharedPieces } from '../../studio/src/workers/tensors/pieces.js';
import type { Readable } from '../../studio/src/workers/tensors/readable.js';
import { GAP, sampled } from '../../studio/src/workers/tensors/sampled.js';

const test = suite('studio/look');

/** A tensor whose elements are their own places, modulo a prime, and what was read of it. */
const PRIME = 65521;
function numbered(
  dims: readonly number[],
): Readable & { readonly elements: () => number; readonly reads: () => number } {
  let [elements, reads] = [0, 0];
  return {
    type: 'float32',
    dims,
    count: dims.reduce((product, size) => product * size, 1),
    elements: () => elements,
    reads: () => reads,
    read: async (begin, end) => {
      elements += end - begin;
      reads++;
      await new Promise((resolve) => setTimeout(resolve));
      return {
        type: 'float32',
        dims: [end - begin],
        data: Float32Array.from({ length: end - begin }, (_, i) => (begin + i) % PRIME),
      };
    },
  };
}

/** Rows near each other and far apart, longer than a piece, kernels, colours, and what ends amid a piece. */
const DIMS = [
  [7],
  [640, 641],
  [3000, 4000],
  [4, 3_000_000],
  [40, 300_000],
  [64, 32, 3, 3],
  [700, 700, 3, 3],
  [3, 200, 100],
  [3],
];

test('every pixel shows the element that its plan says', async () => {
  for (const dims of DIMS) {
    const plan = planPicture(dims);
    if (!plan) throw new Error(`no plan of ${dims}`);
    const places = Float64Array.from({ length: plan.width * plan.height }, (_, i) =>
      plan.elementAt(i % plan.width, Math.floor(i / plan.width)),
    );
    const found = await sharedPieces(numbered(dims))((pieces) => sampled(places, pieces));
    assert.equal(
      found,
      places.map((place) => (place < 0 ? GAP : place % PRIME)),
      `${dims}`,
    );
  }
});

test('figures and picture of a large tensor read it once, a picture of rows far apart these alone', async () => {
  const near = numbered([3000, 4000]);
  const look = lookAt(near);
  const [picture, summary] = await Promise.all([look.picture(), look.summary()]);
  assert.is(summary?.count, near.count);
  assert.is(picture?.width, 572);
  assert.is(near.elements(), near.count);
  assert.is(near.reads(), Math.ceil(near.count / PIECE));
  const far = numbered([700_000, 1000]);
  await lookAt(far).picture();
  assert.ok(far.reads() <= 640 && far.elements() <= 640 * 1000, `${far.reads()} reads of ${far.elements()}`);
});

test('figures are the same whichever way numbers come', async () => {
  const dims = [3000, 4000];
  const alone = await lookAt(numbered(dims)).summary();
  const look = lookAt(numbered(dims));
  const [beside] = await Promise.all([look.summary(), look.picture()]);
  assert.equal(beside, alone);
  let [sum, squares] = [0, 0];
  for (let i = 0; i < 12e6; i++) sum += i % PRIME;
  for (let i = 0; i < 12e6; i++) squares += ((i % PRIME) - sum / 12e6) ** 2;
  assert.ok(Math.abs((alone?.mean as number) * (12e6 / sum) - 1) < 1e-12);
  assert.ok(Math.abs((alone?.deviation as number) / Math.sqrt(squares / 12e6) - 1) < 1e-12);
  assert.is(alone?.zeros, Math.ceil(12e6 / PRIME));
  assert.equal([alone?.min, alone?.max], [0, PRIME - 1]);
});

test.run();
