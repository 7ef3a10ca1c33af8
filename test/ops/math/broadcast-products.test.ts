import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tensor } from '../../../src/builder/index.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { offsetOf, places } from '../../places.js';
import { sessionsOf } from '../stages.js';

const test = suite('products of batches that broadcast');

/** Batches of the left operand and of the right one. */
const BATCHES: readonly (readonly [left: readonly number[], right: readonly number[]])[] = [
  [[], [2, 3]],
  [[2, 3], [3]],
  [
    [2, 1],
    [1, 3],
  ],
  [
    [2, 1, 3],
    [2, 1],
  ],
  [
    [1, 2, 1],
    [2, 1, 3],
  ],
  [
    [3, 1, 2],
    [2, 2],
  ],
  [
    [2, 2, 3],
    [2, 1, 3],
  ],
  [
    [2, 1, 3, 1],
    [2, 1, 2],
  ],
  [
    [1, 2, 1, 3],
    [2, 1, 2, 1],
  ],
  [
    [2, 1, 2, 1, 2],
    [2, 1, 2, 1],
  ],
];

const countOf = (dims: readonly number[]) => dims.reduce((count, size) => count * size, 1);

/** The dims to which both broadcast. */
const wider = (left: readonly number[], right: readonly number[]): number[] =>
  Array.from({ length: Math.max(left.length, right.length) }, (_, i) => {
    const [a = 1, b = 1] = [left, right].map((dims) => dims[i - Math.max(left.length, right.length) + dims.length]);
    return Math.max(a, b);
  });

const [M, K, N] = [2, 3, 4];

function expected(left: TensorValue, right: TensorValue): number[] {
  const batches = wider(left.dims.slice(0, -2), right.dims.slice(0, -2));
  return places([...batches, M, N]).map((at) => {
    const [batch, row = 0, column = 0] = [at.slice(0, -2), ...at.slice(-2)];
    let sum = 0;
    for (let k = 0; k < K; k++) {
      const a = left.data[offsetOf([...batch, row, k], left.dims)] as number;
      sum += a * (right.data[offsetOf([...batch, k, column], right.dims)] as number);
    }
    return sum;
  });
}

/** Integers that all types have, whose sums are exact. */
const integers = (type: 'float32' | 'uint8', dims: readonly number[], factor: number) =>
  tensor(
    type,
    dims,
    Array.from({ length: countOf(dims) }, (_, i) => (i * factor) % 23),
  );

for (const [op, type, sum] of [
  ['MatMul', 'float32', 'float32'],
  ['MatMulInteger', 'uint8', 'int32'],
] as const)
  for (const isOpen of [false, true])
    test(`${op} of ${isOpen ? 'any' : 'known'} sizes, in however many ways they broadcast`, async () => {
      const pairs = BATCHES.map(
        ([left, right]) => [integers(type, [...left, M, K], 7), integers(type, [...right, K, N], 5)] as const,
      );
      const sessions = await sessionsOf((b) => {
        for (const [i, pair] of pairs.entries()) {
          const operands = pair.map(({ dims }, at) => {
            const name = `x${i}_${at}`;
            return b.input(name, type, isOpen ? dims.map((_, axis) => `${name}_${axis}`) : dims);
          });
          b.output(`y${i}`, b.op(op, operands));
        }
      });
      const feeds = pairs.flatMap((pair, i) => pair.map((x, at) => [`x${i}_${at}`, x] as const));
      for (const [stage, session] of sessions) {
        const results = await session.run(Object.fromEntries(feeds));
        await session.release();
        for (const [i, [left, right]] of BATCHES.entries()) {
          const { dims, data } = results[`y${i}`] as TensorValue;
          const pair = pairs[i] as (typeof pairs)[number];
          const what = `${stage}: [${left}] by [${right}]`;
          assert.equal(dims, [...wider(left, right), M, N], what);
          assert.equal(data, tensor(sum, dims, expected(...pair)).data, what);
        }
      }
    });

test.run();
