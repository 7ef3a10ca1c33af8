import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tensor } from '../../../src/builder/index.js';
import { tensorOf } from '../../../src/tensor/numbers.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { runNode } from '../one-node.js';

const test = suite('arithmetic on integers');

const MANY = 2n ** 63n - 1n;
const int64 = (...values: (number | bigint)[]): TensorValue => ({
  type: 'int64',
  dims: [values.length],
  data: BigInt64Array.from(values, BigInt),
});
const uint64 = (...values: bigint[]): TensorValue => ({
  type: 'uint64',
  dims: [values.length],
  data: BigUint64Array.from(values),
});

async function check(op: string, inputs: TensorValue[], expected: TensorValue, opset = 26): Promise<void> {
  for (const constant of [false, true]) assert.equal(await runNode(op, { inputs, opset, constant }), [expected]);
}

test('an integer to a fractional power', async () => {
  const powers = tensor('float32', [4], [0.5, 2.5, 1.5, -1]);
  const int32 = tensor('int32', [4], [9, 4, 16, 2]);
  await check('Pow', [int32, powers], tensor('int32', [4], [3, 32, 64, 0]));
  await check('Pow', [int64(9, 4, 16, 2), powers], int64(3, 32, 64, 0));
  await check('Pow', [int32, tensor('float64', [], [0.5])], tensor('int32', [4], [3, 2, 4, 1]));
});

test('an integer to a power that takes 64 bits', async () => {
  const int32 = tensor('int32', [5], [3, -7, 1, -1, 2]);
  const below = int64(-(2n ** 33n) + 1n, -922411667969, -(2n ** 40n), -(2n ** 40n) + 1n, -3);
  await check('Pow', [int32, below], tensor('int32', [5], [0, 0, 1, -1, 0]));
  const above = int64(2, 1, 2n ** 40n, 2n ** 40n + 1n, 2n ** 40n);
  await check('Pow', [int32, above], tensor('int32', [5], [9, -7, 1, -1, 0]));
  const unsigned: TensorValue = {
    type: 'uint32',
    dims: [5],
    data: Uint32Array.of(2, 1, 2 ** 31, 2 ** 32 - 1, 2 ** 31),
  };
  await check('Pow', [int32, unsigned], tensor('int32', [5], [9, -7, 1, -1, 0]));
});

test('powers of int32 wrap', () =>
  check(
    'Pow',
    [tensor('int32', [4], [-3, 7, 46341, -5]), tensor('int32', [4], [2000545555, 31, 2, 27])],
    tensor('int32', [4], [577742885, 265001655, -2147479015, 99612771]),
  ));

test('a power of more digits than memory holds takes no time', () =>
  check('Pow', [int64(2, -1, 1, -1), int64(10n ** 9n, 10n ** 9n + 1n, MANY, -3)], int64(0, -1, 1, -1)));

test('an integer to a power in half precision', () =>
  check('Pow', [int64(2, 3, -4), tensorOf('float16', [3], [2, 3, 1])], int64(4, 27, -4)));

test('Relu keeps the largest int64', () => check('Relu', [int64(MANY, -MANY, 7)], int64(MANY, 0, 7)));

test('uint32 wraps', () =>
  check(
    'Mul',
    [tensor('uint32', [2], [4294967294, 5]), tensor('uint32', [2], [4294967295, 3])],
    tensor('uint32', [2], [2, 15]),
  ));

test('running sums and products of 64-bit integers', async () => {
  const axis = tensor('int64', [], [0]);
  await check('CumSum', [uint64(2n ** 62n, 2n ** 62n + 1n), axis], uint64(2n ** 62n, 2n ** 63n + 1n));
  await check('CumSum', [int64(2n ** 62n, 1), axis], int64(2n ** 62n, 2n ** 62n + 1n));
  await check('CumProd', [int64(2n ** 31n + 1n, 2n ** 31n), axis], int64(2n ** 31n + 1n, 2n ** 62n + 2n ** 31n));
});

test('Erf of an integer is rounded toward zero', () =>
  check('Erf', [tensor('int8', [4], [0, 1, 5, 6])], tensor('int8', [4], [0, 0, 0, 1])));

test('bits that are shifted out are gone, however far', async () => {
  const far = uint64(1n, 63n, 64n, 2n ** 63n, MANY);
  for (const direction of ['LEFT', 'RIGHT'])
    for (const constant of [false, true]) {
      const [y] = await runNode('BitShift', {
        inputs: [uint64(1n, 1n, 1n, 1n, 3n), far],
        attributes: { direction },
        constant,
      });
      const expected = direction === 'LEFT' ? [2n, 2n ** 63n, 0n, 0n, 0n] : [0n, 0n, 0n, 0n, 0n];
      assert.equal(y, uint64(...expected), direction);
    }
});

test.run();
