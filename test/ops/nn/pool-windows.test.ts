import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tensor } from '../../../src/builder/index.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { randomFloats, relativeL2 } from '../../assembly/kernels.js';
import { places } from '../../places.js';
import { sessionsOf } from '../stages.js';

const test = suite('windows of pools');

interface Window {
  readonly size: number;
  readonly kernel: number;
  readonly stride?: number;
  readonly dilation?: number;
  readonly pads?: readonly [before: number, after: number];
  readonly isCeil?: boolean;
}

/** A window for each axis. */
type Pool = readonly Window[];

/** How many windows there are: rounded up, as PyTorch does it, without one that would begin in the padding at the end. */
function countOf({ size, kernel, stride = 1, dilation = 1, pads: [before, after] = [0, 0], isCeil }: Window): number {
  const room = size + before + after - dilation * (kernel - 1) - 1;
  if (!isCeil) return Math.floor(room / stride) + 1;
  const count = Math.ceil(room / stride) + 1;
  return (count - 1) * stride >= size + before ? count - 1 : count;
}

/** Places of the elements under a window, without the padding. */
function under({ size, kernel, stride = 1, dilation = 1, pads: [before] = [0, 0] }: Window, at: number): number[] {
  const taps = Array.from({ length: kernel }, (_, i) => at * stride - before + i * dilation);
  return taps.filter((place) => place >= 0 && place < size);
}

const attributesOf = (axes: Pool) => ({
  kernel_shape: axes.map(({ kernel }) => kernel),
  strides: axes.map(({ stride = 1 }) => stride),
  dilations: axes.map(({ dilation = 1 }) => dilation),
  pads: [0, 1].flatMap((side) => axes.map(({ pads = [0, 0] }) => pads[side] as number)),
  ceil_mode: axes.some(({ isCeil }) => isCeil) ? 1 : 0,
});

const channelOf = (pool: Pool): TensorValue => {
  const sizes = pool.map(({ size }) => size);
  return tensor('float32', [1, 1, ...sizes], randomFloats(places(sizes).length, 9));
};

/** The elements under each window. */
function contentsOf(pool: Pool): number[][] {
  const { data, dims } = channelOf(pool);
  return places(pool.map(countOf)).map((at) =>
    pool
      .map((axis, i) => under(axis, at[i] as number))
      .reduce<number[]>((all, line, i) => all.flatMap((o) => line.map((p) => o * (dims[i + 2] as number) + p)), [0])
      .map((place) => data[place] as number),
  );
}

const FOLDS: Readonly<Record<string, (values: readonly number[]) => number>> = {
  MaxPool: (values) => Math.max(...values),
  AveragePool: (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
};

/** All in one model. */
async function checkPools(pools: readonly Pool[]): Promise<void> {
  const sessions = await sessionsOf((b) => {
    for (const [i, pool] of pools.entries()) {
      const x = b.input(`x${i}`, 'float32', channelOf(pool).dims);
      for (const op of Object.keys(FOLDS)) b.output(`${op}${i}`, b.op(op, [x], attributesOf(pool)));
    }
  }, 22);
  const feeds = Object.fromEntries(pools.map((pool, i) => [`x${i}`, channelOf(pool)]));
  for (const [stage, session] of sessions) {
    const results = await session.run(feeds);
    await session.release();
    for (const [i, pool] of pools.entries())
      for (const [op, fold] of Object.entries(FOLDS)) {
        const { dims, data } = results[`${op}${i}`] as TensorValue;
        const what = `${stage}: ${op} of ${JSON.stringify(pool)}`;
        assert.equal(dims, [1, 1, ...pool.map(countOf)], what);
        assert.ok(relativeL2(data as Float32Array, contentsOf(pool).map(fold)) < 1e-6, what);
      }
  }
}

const PADS = [
  [0, 0],
  [0, 1],
  [1, 0],
  [1, 1],
] as const;

test('windows rounded up end where one would begin in the padding', async () => {
  const lines = [2, 3].flatMap((kernel) =>
    [2, 3].flatMap((stride) =>
      PADS.flatMap((pads) => [5, 6].map((size): Window => ({ size, kernel, stride, pads, isCeil: true }))),
    ),
  );
  await checkPools(lines.map((line) => [line]));
});

test('windows of planes are dilated along each axis', async () => {
  const pools = [
    [1, 2],
    [2, 1],
    [2, 3],
    [3, 3],
  ].flatMap((dilations) =>
    [1, 2].map((stride) =>
      dilations.map(
        (dilation, axis): Window => ({ size: 9 + axis, kernel: 2 + axis, stride, dilation, pads: [axis, 1] }),
      ),
    ),
  );
  await checkPools(pools);
});

test.run();
