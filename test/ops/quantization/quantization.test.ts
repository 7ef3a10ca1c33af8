import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ModelBuilder, tensor } from '../../../src/builder/index.js';
import type { Value } from '../../../src/graph/graph.js';
import type { ElementType } from '../../../src/tensor/element-types.js';
import { tensorOf } from '../../../src/tensor/numbers.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { expectRejection } from '../../expect-error.js';
import { randomly } from '../../session/run-model.js';
import { sessionsOf } from '../stages.js';

const test = suite('quantization');

/** Integers of a fixed sequence over the whole range of 8-bit type `type`, shifted to its extremes by `push`. */
function bytes(type: 'int8' | 'uint8', dims: readonly number[], seed: number, push = 1): TensorValue {
  const next = randomly(seed);
  const least = type === 'int8' ? -128 : 0;
  const count = dims.reduce((n, d) => n * d, 1);
  return tensor(
    type,
    dims,
    Array.from({ length: count }, () => least + Math.floor(256 * next() ** (1 / push))),
  );
}

const at = ({ data }: TensorValue, i: number) => data[i] as number;

interface Product {
  readonly name: string;
  readonly m: number;
  readonly k: number;
  readonly n: number;
  readonly types: readonly ['int8' | 'uint8', 'int8' | 'uint8'];
  readonly zeros: readonly [readonly number[], readonly number[]];
  readonly isConstant: boolean;
  readonly push?: number;
}

/** Sums up to 255² · k: beyond 2²⁴ float32 would no longer hold them. */
const products: Product[] = [
  { name: 'small', m: 3, k: 5, n: 4, types: ['uint8', 'int8'], zeros: [[12], [0]], isConstant: false },
  {
    name: 'per row and column',
    m: 3,
    k: 7,
    n: 4,
    types: ['uint8', 'uint8'],
    zeros: [
      [1, 200, 3],
      [9, 8, 7, 250],
    ],
    isConstant: false,
  },
  { name: 'two digits', m: 5, k: 700, n: 9, types: ['uint8', 'uint8'], zeros: [[0], [0]], isConstant: false, push: 9 },
  {
    name: 'two digits, constant',
    m: 5,
    k: 700,
    n: 9,
    types: ['uint8', 'uint8'],
    zeros: [[0], [0, 0, 0, 0, 0, 0, 0, 0, 3]],
    isConstant: true,
    push: 9,
  },
  {
    name: 'three digits',
    m: 2,
    k: 5000,
    n: 3,
    types: ['uint8', 'int8'],
    zeros: [[0], [-128]],
    isConstant: false,
    push: 9,
  },
  {
    name: 'three digits, constant',
    m: 2,
    k: 9000,
    n: 3,
    types: ['uint8', 'uint8'],
    zeros: [[0], [0]],
    isConstant: true,
    push: 9,
  },
];

for (const { name, m, k, n, types, zeros, isConstant, push } of products) {
  test(`MatMulInteger, ${name}`, async () => {
    const [a, b] = [bytes(types[0], [m, k], 3, push), bytes(types[1], [k, n], 4, push)];
    const sessions = await sessionsOf((builder) => {
      const weights = isConstant ? builder.constant('b', b) : builder.input('b', b.type, b.dims);
      const zero = (i: 0 | 1) => builder.constant(`zero${i}`, tensor(types[i], [zeros[i].length], zeros[i]));
      builder.output('y', builder.op('MatMulInteger', [builder.input('a', a.type, a.dims), weights, zero(0), zero(1)]));
    });
    const expected = Int32Array.from({ length: m * n }, (_, at_) => {
      const [row, column] = [Math.floor(at_ / n), at_ % n];
      let sum = 0;
      for (let i = 0; i < k; i++)
        sum +=
          (at(a, row * k + i) - (zeros[0][row] ?? (zeros[0][0] as number))) *
          (at(b, i * n + column) - (zeros[1][column] ?? (zeros[1][0] as number)));
      return sum;
    });
    for (const [stage, session] of sessions) {
      const y = (await session.run(isConstant ? { a } : { a, b })).y as TensorValue;
      assert.equal(y.type, 'int32', stage);
      assert.equal(y.data, expected, stage);
    }
  });
}

/** Σ (x − zx)(w − zw) of a 3×3 convolution with pads of 1 and `group` groups. */
function convolve(x: TensorValue, w: TensorValue, zx: number, zw: readonly number[], group: number): Int32Array {
  const [, channels, height, width] = x.dims as [number, number, number, number];
  const [out, own] = w.dims as [number, number];
  return Int32Array.from({ length: out * height * width }, (_, i) => {
    const [o, r, s] = [Math.floor(i / height / width), Math.floor(i / width) % height, i % width];
    const first = Math.floor(o / (out / group)) * (channels / group);
    let sum = 0;
    for (let c = 0; c < own; c++)
      for (let tap = 0; tap < 9; tap++) {
        const [row, column] = [r + Math.floor(tap / 3) - 1, s + (tap % 3) - 1];
        if (row < 0 || column < 0 || row >= height || column >= width) continue;
        sum +=
          (at(x, ((first + c) * height + row) * width + column) - zx) *
          (at(w, (o * own + c) * 9 + tap) - (zw[o] as number));
      }
    return sum;
  });
}

for (const group of [1, 4]) {
  test(`ConvInteger and QLinearConv in ${group} groups`, async () => {
    const x = bytes('uint8', [1, 8, 6, 5], 5);
    const w = bytes('int8', [4, 8 / group, 3, 3], 6);
    const zw = [0, 3, -7, 127];
    const sums = convolve(x, w, 131, zw, group);
    const bias = [100, -200, 30000, 0];
    const wScale = Float32Array.of(0.01, 0.02, 0.005, 0.03);
    const scaled = Array.from(sums, (sum, i) => {
      const channel = Math.floor(i / 30);
      const step = Math.fround(Math.fround(Math.fround(0.02) * (wScale[channel] as number)) / Math.fround(1.5));
      return Math.fround(Math.fround(sum + (bias[channel] as number)) * step);
    });
    const sessions = await sessionsOf((b) => {
      const constant = (name: string, type: ElementType, dims: number[], values: ArrayLike<number>) =>
        b.constant(name, tensor(type, dims, values));
      const [input, weights] = [b.input('x', 'uint8', x.dims), b.constant('w', w)];
      const [zx, zeros] = [constant('zx', 'uint8', [], [131]), constant('zw', 'int8', [4], zw)];
      const attributes = { pads: [1, 1, 1, 1], group };
      b.output('sums', b.op('ConvInteger', [input, weights, zx, zeros], attributes));
      b.output(
        'y',
        b.op(
          'QLinearConv',
          [
            input,
            constant('sx', 'float32', [], [0.02]),
            zx,
            weights,
            constant('sw', 'float32', [4], wScale),
            zeros,
            constant('sy', 'float32', [], [1.5]),
            constant('zy', 'int8', [], [-5]),
            constant('bias', 'int32', [4], bias),
          ],
          attributes,
        ),
      );
    });
    for (const [stage, session] of sessions) {
      const results = await session.run({ x });
      assert.equal((results.sums as TensorValue).data, sums, stage);
      assert.equal(
        Array.from((results.y as TensorValue).data as Int8Array),
        scaled.map((v) => clamp(halfEven(v) - 5, -128, 127)),
        stage,
      );
    }
  });
}

const clamp = (x: number, low: number, high: number) => Math.min(Math.max(x, low), high);
const halfEven = (x: number) => (Math.abs(x % 1) === 0.5 ? 2 * Math.round(x / 2) : Math.round(x));

interface Linear {
  readonly name: string;
  readonly element: ElementType;
  readonly scales: readonly number[];
  readonly zeros?: readonly number[];
  readonly dims: readonly number[];
  readonly attributes?: Record<string, number>;
  /** Position of the scale that an element of [2, 5, 3] has. */
  readonly scaleAt: (i: number) => number;
  readonly range: readonly [number, number];
}

const linears: Linear[] = [
  { name: 'per tensor', element: 'uint8', scales: [0.25], zeros: [7], dims: [], scaleAt: () => 0, range: [0, 255] },
  {
    name: 'per axis',
    element: 'int16',
    scales: [0.5, 0.001, 3],
    zeros: [7, -9, 30000],
    dims: [3],
    attributes: { axis: -1 },
    scaleAt: (i) => i % 3,
    range: [-32768, 32767],
  },
  {
    name: 'blocks of 2 of 5, the last one short',
    element: 'int4',
    scales: [0.5, 1, 2, 3, 4, 5, 0.25, 8, 9, 0.1, 11, 12, 13, 14, 15, 16, 17, 18],
    dims: [2, 3, 3],
    attributes: { axis: 1, block_size: 2 },
    scaleAt: (i) => Math.floor(i / 15) * 9 + Math.floor(Math.floor((i % 15) / 3) / 2) * 3 + (i % 3),
    range: [-8, 7],
  },
  {
    name: 'int2 per axis',
    element: 'int2',
    scales: [0.5, 8],
    dims: [2],
    attributes: { axis: 0 },
    scaleAt: (i) => Math.floor(i / 15),
    range: [-2, 1],
  },
];

for (const { name, element, scales, zeros, dims, attributes = {}, scaleAt, range } of linears) {
  for (const isConstant of [false, true]) {
    test(`QuantizeLinear and DequantizeLinear ${name}${isConstant ? ', of a constant' : ''}`, async () => {
      const x = tensor(
        'float32',
        [2, 5, 3],
        Array.from({ length: 30 }, (_, i) => (i - 15) * 0.75),
      );
      const q = Array.from({ length: 30 }, (_, i) =>
        clamp(
          halfEven(at(x, i) / Math.fround(at({ data: scales } as never, scaleAt(i)))) + (zeros?.[scaleAt(i)] ?? 0),
          ...range,
        ),
      );
      const y = q.map((v, i) =>
        Math.fround(Math.fround(v - (zeros?.[scaleAt(i)] ?? 0)) * Math.fround(scales[scaleAt(i)] as number)),
      );
      const sessions = await sessionsOf((b: ModelBuilder) => {
        const input: Value = isConstant ? b.constant('x', x) : b.input('x', 'float32', x.dims);
        const rest = [
          b.constant('scale', tensor('float32', dims, scales)),
          ...(zeros ? [b.constant('zero', tensorOf(element, dims, zeros))] : []),
        ];
        const code = { output_dtype: { int4: 22, int2: 26 }[element as string] ?? 0 };
        const quantized = b.op('QuantizeLinear', [input, ...rest], { ...attributes, ...(zeros ? {} : code) });
        b.output('q', quantized);
        b.output('y', b.op('DequantizeLinear', [quantized, ...rest], attributes));
      }, 25);
      for (const [stage, session] of sessions) {
        const results = await session.run(isConstant ? {} : { x });
        assert.equal((results.q as TensorValue).data, tensorOf(element, x.dims, q).data, stage);
        assert.equal(Array.from((results.y as TensorValue).data as Float32Array), y, stage);
      }
    });
  }
}

test('DynamicQuantizeLinear of zeros', async () => {
  const sessions = await sessionsOf((b) => {
    const results = b.node('DynamicQuantizeLinear', [b.input('x', 'float32', ['n'])], {}, { outputs: 3 });
    results.forEach((value, i) => {
      b.output(`y${i}`, value);
    });
  });
  for (const [stage, session] of sessions) {
    const results = Object.values(await session.run({ x: tensor('float32', [3], [0, 0, 0]) })) as TensorValue[];
    assert.equal(
      results.map(({ data }) => Array.from(data, Number)),
      [[0, 0, 0], [1], [0]],
      stage,
    );
  }
});

test('a scale that does not fit is refused', async () => {
  const x = tensor('float32', [2, 3], [1, 2, 3, 4, 5, 6]);
  const refused = sessionsOf((b) => {
    const scale = b.constant('scale', tensor('float32', [2], [1, 2]));
    b.output('y', b.op('QuantizeLinear', [b.input('x', 'float32', x.dims), scale]));
  }).then((sessions) => Promise.all(sessions.map(([, session]) => session.run({ x }))));
  await expectRejection('INVALID_SHAPE', /must have one element, or one per position/, refused);
});

test.run();
