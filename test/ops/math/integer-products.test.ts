import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../../src/builder/index.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { open, randomly } from '../../session/run-model.js';

const test = suite('products of integers');

const LEVELS = ['disabled', 'all'] as const;
type Bytes = 'int8' | 'uint8';

/** Numbers from the whole range of the type, many of them at its ends. */
function bytes(type: Bytes, dims: readonly number[], seed: number): TensorValue {
  const next = randomly(seed);
  const low = type === 'int8' ? -128 : 0;
  const count = dims.reduce((n, d) => n * d, 1);
  const value = () => low + (next() < 0.5 ? 255 : Math.floor(next() * 256));
  return tensor(type, dims, Array.from({ length: count }, value));
}

const at = (x: TensorValue, i: number) => Number(x.data[i]);

async function check(op: string, inputs: TensorValue[], attributes: object, dims: number[], expected: number[]) {
  const b = modelBuilder({ opset: 21 });
  const values = inputs.map((x, i) => b.input(`x${i}`, x.type, x.dims));
  b.output('y', b.op(op, values, attributes as never));
  const feeds = Object.fromEntries(inputs.map((x, i) => [`x${i}`, x]));
  for (const graphOptimizationLevel of LEVELS) {
    const session = await open(b.toBytes(), { graphOptimizationLevel });
    const { y } = (await session.run(feeds)) as unknown as { y: TensorValue };
    assert.is(`${y.type}[${y.dims}]`, `int32[${dims}]`);
    assert.equal(Array.from(y.data as Int32Array), expected, graphOptimizationLevel);
  }
}

for (const [m, k, n, a, b] of [
  [3, 7, 5, 'uint8', 'int8'],
  [2, 600, 9, 'uint8', 'uint8'],
  [1, 1100, 3, 'int8', 'int8'],
] as [number, number, number, Bytes, Bytes][]) {
  test(`MatMulInteger [${m},${k}] by [${k},${n}], ${a} by ${b}, is exact`, async () => {
    const [x, w] = [bytes(a, [m, k], 1), bytes(b, [k, n], 2)];
    const [xZero, wZero] = [bytes(a, [], 3), bytes(b, [n], 4)];
    const expected = Array.from({ length: m * n }, (_, i) => {
      const [row, column] = [Math.floor(i / n), i % n];
      let sum = 0;
      for (let l = 0; l < k; l++) {
        sum += (at(x, row * k + l) - at(xZero, 0)) * (at(w, l * n + column) - at(wZero, column));
      }
      return sum;
    });
    await check('MatMulInteger', [x, w, xZero, wZero], {}, [m, n], expected);
  });
}

for (const [channels, outChannels, group, size] of [
  [3, 4, 1, 6],
  [64, 32, 1, 12],
  [128, 6, 2, 4],
  [8, 8, 8, 5],
] as [number, number, number, number][]) {
  test(`ConvInteger 3×3, ${channels} → ${outChannels} channels in ${group} groups, is exact`, async () => {
    const own = channels / group;
    const [x, w] = [bytes('uint8', [1, channels, size, size], 1), bytes('int8', [outChannels, own, 3, 3], 2)];
    const zero = tensor('uint8', [], [101]);
    const expected = Array.from({ length: outChannels * size * size }, (_, i) => {
      const [channel, row, column] = [Math.floor(i / size / size), Math.floor(i / size) % size, i % size];
      const first = Math.floor(channel / (outChannels / group)) * own;
      let sum = 0;
      for (let l = 0; l < own; l++) {
        for (let tap = 0; tap < 9; tap++) {
          const [h, v] = [row + Math.floor(tap / 3) - 1, column + (tap % 3) - 1];
          if (h < 0 || v < 0 || h >= size || v >= size) continue;
          const pixel = at(x, ((first + l) * size + h) * size + v) - 101;
          sum += pixel * at(w, (channel * own + l) * 9 + tap);
        }
      }
      return sum;
    });
    await check('ConvInteger', [x, w, zero], { group, pads: [1, 1, 1, 1] }, [1, outChannels, size, size], expected);
  });
}

const WHOLE = { int32: [32, true], uint32: [32, false], int64: [64, true], uint64: [64, false] } as const;
type Whole = keyof typeof WHOLE;

/** Modulo 2 to the power of the type's bits, as the type has it. */
const wrapped = (type: Whole, x: bigint) => {
  const [bits, isSigned] = WHOLE[type];
  return isSigned ? BigInt.asIntN(bits, x) : BigInt.asUintN(bits, x);
};

function wholes(type: Whole, dims: readonly number[], seed: number): bigint[] {
  const next = randomly(seed);
  const count = dims.reduce((n, d) => n * d, 1);
  const word = () => BigInt(Math.floor(next() * 2 ** 32));
  return Array.from({ length: count }, () => wrapped(type, (word() << 32n) | word()));
}

const tensorOfWholes = (type: Whole, dims: readonly number[], values: readonly bigint[]) =>
  type.endsWith('64') ? tensor(type, dims, values) : tensor(type, dims, values.map(Number));

for (const type of Object.keys(WHOLE) as Whole[])
  for (const [op, attributes] of [
    ['MatMul', {}],
    ['Gemm', {}],
    ['Einsum', { equation: 'ij,jk->ik' }],
  ] as const)
    test(`${op} of ${type} is right to the last bit`, async () => {
      const [m, k, n] = [3, 5, 4];
      const [a, b] = [wholes(type, [m, k], 5), wholes(type, [k, n], 6)];
      const expected = Array.from({ length: m * n }, (_, i) => {
        const [row, column] = [Math.floor(i / n), i % n];
        let sum = 0n;
        for (let l = 0; l < k; l++) sum += (a[row * k + l] as bigint) * (b[l * n + column] as bigint);
        return wrapped(type, sum);
      });
      const builder = modelBuilder({ opset: 21 });
      const inputs = [builder.input('a', type, [m, k]), builder.input('b', type, [k, n])];
      builder.output('y', builder.op(op, inputs, attributes));
      const feeds = { a: tensorOfWholes(type, [m, k], a), b: tensorOfWholes(type, [k, n], b) };
      for (const graphOptimizationLevel of LEVELS) {
        const session = await open(builder.toBytes(), { graphOptimizationLevel });
        const { y } = (await session.run(feeds)) as unknown as { y: TensorValue };
        assert.equal(Array.from(y.data as Int32Array, BigInt), expected, graphOptimizationLevel);
      }
    });

test.run();
