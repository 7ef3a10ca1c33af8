import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tensor } from '../../../src/builder/index.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { randomFloats, relativeL2 } from '../../assembly/kernels.js';
import { expectRejection } from '../../expect-error.js';
import { runNode } from '../one-node.js';
import { sessionsOf } from '../stages.js';

const test = suite('reductions over any axes');

/** The definitions in ONNX's own words, on all elements that meet in one result. */
const DEFINITIONS: Record<string, (x: number[]) => number> = {
  Sum: (x) => x.reduce((a, b) => a + b),
  Mean: (x) => x.reduce((a, b) => a + b) / x.length,
  Max: (x) => Math.max(...x),
  Min: (x) => Math.min(...x),
  Prod: (x) => x.reduce((a, b) => a * b),
  SumSquare: (x) => x.reduce((sum, v) => sum + v * v, 0),
  L1: (x) => x.reduce((sum, v) => sum + Math.abs(v), 0),
  L2: (x) => Math.sqrt(x.reduce((sum, v) => sum + v * v, 0)),
  LogSum: (x) => Math.log(x.reduce((a, b) => a + b)),
  LogSumExp: (x) => Math.log(x.reduce((sum, v) => sum + Math.exp(v), 0)),
};

const DIMS = [3, 1, 5, 4, 7];
const COUNT = DIMS.reduce((a, b) => a * b);
/** Positive, so that the logarithms of all sums are real. */
const values = randomFloats(COUNT, 7).map((v) => 0.75 + v / 4);
const AXES = [[0], [4], [2], [1], [0, 2], [0, 4], [2, 3], [0, 2, 4], [-1, 0, 3], [0, 1, 2, 3, 4]];

function expectedOf(definition: (x: number[]) => number, axes: readonly number[]): number[] {
  const folded = axes.map((axis) => (axis + DIMS.length) % DIMS.length);
  const groups = new Map<string, number[]>();
  for (let i = 0; i < COUNT; i++) {
    let rest = i;
    const position = DIMS.map(() => 0);
    for (let axis = DIMS.length - 1; axis >= 0; axis--) {
      position[axis] = rest % (DIMS[axis] as number);
      rest = Math.floor(rest / (DIMS[axis] as number));
    }
    const key = String(position.filter((_, axis) => !folded.includes(axis)));
    groups.set(key, [...(groups.get(key) ?? []), values[i] as number]);
  }
  return [...groups.values()].map(definition);
}

for (const [kind, definition] of Object.entries(DEFINITIONS)) {
  test(`Reduce${kind}`, async () => {
    const sessions = await sessionsOf((b) => {
      const x = b.input('x', 'float32', DIMS);
      for (const [i, axes] of AXES.entries()) {
        const list = b.constant(`axes${i}`, tensor('int64', [axes.length], axes));
        b.output(`y${i}`, b.op(`Reduce${kind}`, [x, list], { keepdims: i % 2 }));
      }
    });
    for (const [stage, session] of sessions) {
      const results = await session.run({ x: { type: 'float32', dims: DIMS, data: values } });
      for (const [i, axes] of AXES.entries()) {
        const { data } = results[`y${i}`] as TensorValue;
        const error = relativeL2(data as Float32Array, expectedOf(definition, axes));
        assert.ok(error < 1e-6, `${stage}, axes [${axes}]: relative L2 ${error}`);
      }
    }
  });
}

const int64 = (dims: number[], ...values: bigint[]): TensorValue => ({
  type: 'int64',
  dims,
  data: BigInt64Array.from(values),
});

test('the largest and smallest of no integers are the ends of their type', async () => {
  const axes = tensor('int64', [1], [1]);
  const of = async (op: string, x: TensorValue) => (await runNode(op, { inputs: [x, axes], opset: 20 }))[0];
  const empty = int64([2, 0]);
  assert.equal(await of('ReduceMax', empty), int64([2, 1], -(2n ** 63n), -(2n ** 63n)));
  assert.equal(await of('ReduceMin', empty), int64([2, 1], 2n ** 63n - 1n, 2n ** 63n - 1n));
  assert.equal(await of('ReduceMin', tensor('uint8', [1, 0], [])), tensor('uint8', [1, 1], [255]));
});

test('sums and products of integers wrap', async () => {
  const run = async (op: string, inputs: TensorValue[]) => (await runNode(op, { inputs, opset: 20 }))[0];
  const ends: TensorValue = { type: 'uint64', dims: [1, 2], data: BigUint64Array.of(2n ** 64n - 1n, 3n) };
  assert.equal(await run('ReduceL1', [ends]), { ...ends, dims: [1, 1], data: BigUint64Array.of(2n) });
  const factors = tensor('uint32', [2], [4294967295, 4294967295]);
  assert.equal(await run('ReduceProd', [factors]), tensor('uint32', [1], [1]));
});

/** Beyond 2⁵³, where double precision knows no odd numbers. */
test('means of 64-bit integers are exact, and cut off like their quotients', async () => {
  const x = tensor('int64', [2, 3], [2n ** 60n + 1n, 2n ** 60n + 1n, 2n ** 60n + 2n, -5n, -1n, -2n]);
  const [y] = await runNode('ReduceMean', {
    inputs: [x, tensor('int64', [1], [1])],
    attributes: { keepdims: 0 },
    opset: 18,
  });
  assert.equal(Array.from(y?.data as BigInt64Array), [2n ** 60n + 1n, -2n]);
});

test('more axes than there are', async () => {
  const axes = tensor('int64', [126], new Array(126).fill(0));
  const inputs = [tensor('bool', [4, 2], new Array(8).fill(true)), axes];
  await expectRejection(
    'INVALID_SHAPE',
    /has 126 axes for a tensor of rank 2/,
    runNode('ReduceMax', { inputs, opset: 20 }),
  );
});

test.run();
