import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type OpcodeName, planElementwise } from '../../bindings/elementwise.js';
import { collapse } from '../../bindings/space.js';
import type { ElementwiseParams } from '../../build/kernels.js';
import { broadcastStrides } from '../../src/graph/dims.js';
import { runChain, type Typed } from './chains.js';
import { freshEngine, placeGuarded, randomFloats, variants } from './kernels.js';

const product = (dims: readonly number[]) => dims.reduce((a, b) => a * b, 1);

/** Index into an operand of the given strides for each element of the space, in order. */
function* walk(dims: readonly number[], strides: readonly number[]): Generator<number> {
  const index = dims.map(() => 0);
  for (let i = 0; i < product(dims); i++) {
    yield index.reduce((sum, k, d) => sum + k * (strides[d] as number), 0);
    for (let d = dims.length - 1; d >= 0; d--) {
      index[d] = (index[d] as number) + 1;
      if ((index[d] as number) < (dims[d] as number)) break;
      index[d] = 0;
    }
  }
}

const SPACES: { name: string; dims: number[]; strides: number[] }[] = [
  { name: 'scalar', dims: [37], strides: [0] },
  { name: 'one element', dims: [1, 1], strides: [0, 0] },
  { name: 'dense', dims: [3, 5, 7], strides: [35, 7, 1] },
  { name: 'channels, 3', dims: [2, 9000, 3], strides: [0, 0, 1] },
  { name: 'channels, 64', dims: [700, 64], strides: [0, 1] },
  { name: 'channels, 1025', dims: [33, 1025], strides: [0, 1] },
  { name: 'one per row', dims: [801, 45], strides: [1, 0] },
  { name: 'one per row of half a block', dims: [70, 512], strides: [1, 0] },
  { name: 'one per row of three blocks and a bit', dims: [7, 3137], strides: [1, 0] },
  { name: 'longer than a block', dims: [5, 4102], strides: [0, 1] },
  { name: 'one per short row', dims: [9001, 3], strides: [1, 0] },
  { name: 'one per image and channel', dims: [3, 1500, 8], strides: [8, 0, 1] },
  { name: 'middle', dims: [11, 13, 150], strides: [0, 1, 0] },
  { name: 'transposed', dims: [130, 140], strides: [1, 130] },
  { name: 'five dimensions', dims: [3, 4, 5, 6, 50], strides: [1, 0, 3, 0, 15] },
  { name: 'empty', dims: [3, 0], strides: [1, 1] },
];

const int = (b: boolean) => (b ? 1 : 0);
const modulo = (a: number, b: number) => (b === 0 ? 0 : ((a % b) + b) % b);
const quotient = (a: number, b: number) => (b === 0 ? 0 : Math.trunc(a / b));

/** Operations that every register type has, on small integers. */
const COMMON: Partial<Record<OpcodeName, (a: number, b: number, c: number) => number>> = {
  Copy: (a) => a,
  Add: (a, b) => a + b,
  Sub: (a, b) => a - b,
  Mul: (a, b) => a * b,
  MulAdd: (a, b, c) => a * b + c,
  Min: (a, b) => Math.min(a, b),
  Max: (a, b) => Math.max(a, b),
  Neg: (a) => -a,
  Abs: Math.abs,
  Sign: Math.sign,
  Clip: (a) => Math.min(Math.max(a, -3), 4),
  Where: (a, b, c) => (a ? b : c),
  Not: (a) => int(!a),
  And: (a, b) => int(!!a && !!b),
  Or: (a, b) => int(!!a || !!b),
  Xor: (a, b) => int(!a !== !b),
  Equal: (a, b) => int(a === b),
  Less: (a, b) => int(a < b),
  LessOrEqual: (a, b) => int(a <= b),
  Greater: (a, b) => int(a > b),
  GreaterOrEqual: (a, b) => int(a >= b),
};

const INTEGER: Partial<Record<OpcodeName, (a: number, b: number) => number>> = {
  Div: quotient,
  Mod: modulo,
  Fmod: (a, b) => (b === 0 ? 0 : a % b),
  Pow: (a, b) => Math.trunc(a ** b),
  BitNot: (a) => ~a,
  BitAnd: (a, b) => a & b,
  BitOr: (a, b) => a | b,
  BitXor: (a, b) => a ^ b,
  ShiftLeft: (a, b) => (b < 0 ? 0 : a << b),
};

const FLOAT: Partial<Record<OpcodeName, (a: number, b: number) => number>> = {
  Div: (a, b) => a / b,
  Mod: (a, b) => a - Math.floor(a / b) * b,
  Fmod: (a, b) => a % b,
  Pow: (a, b) => a ** b,
  PRelu: (a, b) => (a < 0 ? a * b : a),
  Floor: Math.floor,
  Ceil: Math.ceil,
  Softsign: (a) => a / (1 + Math.abs(a)),
  LeakyRelu: (a) => (a < 0 ? a * -3 : a),
  ThresholdedRelu: (a) => (a > -3 ? a : 0),
};

/** The nearest integer, with the sign of `x`; of two that are as near, the even one. Exact, as the difference from the floor is. */
function toNearest(x: number): number {
  const [size, sign] = [Math.abs(x), Object.is(x, -0) || x < 0 ? -1 : 1];
  const below = Math.floor(size);
  const rest = size - below;
  const isUp = rest > 0.5 || (rest === 0.5 && below % 2 === 1);
  return sign * (isUp ? below + 1 : below);
}

const ROUNDED: Partial<Record<OpcodeName, (x: number) => number>> = {
  Floor: Math.floor,
  Ceil: Math.ceil,
  Round: toNearest,
};

const REGISTERS = [
  ['F32', 'Float32', (x: number[]) => Float32Array.from(x)],
  ['F64', 'Float64', (x: number[]) => Float64Array.from(x)],
  ['I32', 'Int32', (x: number[]) => Int32Array.from(x)],
  ['I64', 'Int64', (x: number[]) => BigInt64Array.from(x.map(BigInt))],
] as const;

for (const variant of variants) {
  const test = suite(`elementwise (${variant})`);

  for (const { name, dims, strides } of SPACES) {
    test(`reads ${name}`, () => {
      const dense = broadcastStrides(dims, dims);
      const reach = [...walk(dims, strides)];
      const x = randomFloats(Math.max(product(dims), 1), 1);
      const data = randomFloats(reach.reduce((a, b) => Math.max(a, b), 0) + 1, 2);
      const [y] = runChain(freshEngine(variant), {
        register: 'F32',
        dims,
        operands: [
          { storage: 'Float32', strides: dense, data: x },
          { storage: 'Float32', strides, data },
          { value: 0.5 },
        ],
        instructions: [
          { op: 'Add', args: [0, 1] },
          { op: 'Mul', args: [3, 2] },
        ],
        outputs: [{ storage: 'Float32', value: 4 }],
      });
      for (const [i, at] of reach.entries())
        assert.is(y?.[i], Math.fround(Math.fround((x[i] as number) + (data[at] as number)) * 0.5), `element ${i}`);
    });
  }

  test('reads backwards from an offset', () => {
    const engine = freshEngine(variant);
    const x = randomFloats(5000, 4);
    const pointer = placeGuarded(engine, x);
    const y = placeGuarded(engine, new Float32Array(5000));
    const launch = planElementwise({
      register: 'F32',
      dims: [5, 1000],
      operands: [{ pointer, storage: 'Float32', strides: [1000, -1], offset: 999 }],
      instructions: [{ op: 'Neg', args: [0] }],
      outputs: [{ pointer: y, storage: 'Float32', value: 1 }],
    });
    const table = placeGuarded(engine, Int32Array.from(launch.table as number[]));
    engine.launch(launch.kernel, { ...launch.params, table } as ElementwiseParams, launch.tiles as number);
    for (let i = 0; i < 5000; i++) {
      const mirrored = Math.floor(i / 1000) * 1000 + 999 - (i % 1000);
      assert.is(engine.f32[y / 4 + i], -(x[mirrored] as number));
    }
  });

  for (const [register, storage, from] of REGISTERS) {
    const special = register.startsWith('F') ? FLOAT : INTEGER;
    test(`every operation in ${register}`, () => {
      const engine = freshEngine(variant);
      const pairs = Array.from({ length: 19 * 13 }, (_, i) => [(i % 19) - 9, Math.floor(i / 19) - 4] as const);
      const [a, b] = [pairs.map((p) => p[0]), pairs.map((p) => p[1])];
      const c = pairs.map((_, i) => (i % 5) - 2);
      for (const [op, reference] of Object.entries({ ...COMMON, ...special })) {
        const [y] = runChain(engine, {
          register,
          dims: [pairs.length],
          operands: [a, b, c].map((x) => ({ storage, strides: [1], data: from(x) })),
          instructions: [{ op: op as OpcodeName, args: [0, 1, 2], alpha: -3, beta: 4 }],
          outputs: [{ storage, value: 3 }],
        });
        for (let i = 0; i < pairs.length; i++) {
          const [p, q, r] = [a[i] as number, b[i] as number, c[i] as number];
          const expected = reference(p, q, r);
          const actual = Number(y?.[i]);
          const same = Number.isNaN(expected)
            ? Number.isNaN(actual)
            : Math.abs(actual - expected) <= 1e-7 * Math.abs(expected);
          assert.ok(same || actual === expected, `${op}(${p}, ${q}, ${r}) = ${actual}, expected ${expected}`);
        }
      }
    });
  }

  test('scalars stand on either side, powers take their short cuts', () => {
    const engine = freshEngine(variant);
    const data = Float32Array.from([-Infinity, -2.5, -0, 0, 0.25, 1, 3, Infinity, Number.NaN]);
    const table: [OpcodeName, number[], (x: number) => number][] = [
      ['Sub', [1, 0], (x) => 2 - x],
      ['Div', [1, 0], (x) => 2 / x],
      ['Pow', [0, 1], (x) => x ** 2],
      ['Pow', [0, 2], (x) => x ** 0.5],
      ['Pow', [0, 3], (x) => x ** 3],
      ['Pow', [0, 4], (x) => x ** -1],
      ['Pow', [1, 0], (x) => 2 ** x],
      ['Max', [0, 1], (x) => Math.max(x, 2)],
      ['Max', [1, 0], (x) => Math.max(x, 2)],
    ];
    for (const [op, args, reference] of table) {
      const [y] = runChain(engine, {
        register: 'F32',
        dims: [data.length],
        operands: [{ storage: 'Float32', strides: [1], data }, ...[2, 0.5, 3, -1].map((value) => ({ value }))],
        instructions: [{ op, args }],
        outputs: [{ storage: 'Float32', value: 5 }],
      });
      for (const [i, x] of data.entries())
        assert.ok(Object.is(y?.[i], Math.fround(reference(x))), `${op} ${args} of ${x}: ${y?.[i]}`);
    }
  });

  for (const [register, storage, from] of REGISTERS.filter(([name]) => name.startsWith('F')))
    test(`${register} is rounded down, up and to the nearest integer, halves to the even one`, () => {
      const engine = freshEngine(variant);
      // Quarters near 0, next to nothing, and up to where halves end and odd numbers are the nearest.
      const halves = register === 'F32' ? 2 ** 22 : 2 ** 51;
      const near = Array.from({ length: 81 }, (_, i) => (i - 40) / 4);
      const values = near.flatMap((x) => [x, x * 2 ** -60, halves + 2 * x, 2 * halves + 4 * x]);
      const x = [...values, ...values.map((value) => -value), Number.POSITIVE_INFINITY, Number.NaN];
      for (const [op, rounded] of Object.entries(ROUNDED)) {
        const [y] = runChain(engine, {
          register,
          dims: [x.length],
          operands: [{ storage, strides: [1], data: from(x) }],
          instructions: [{ op: op as OpcodeName, args: [0] }],
          outputs: [{ storage, value: 1 }],
        });
        for (const [i, value] of from(x).entries())
          assert.ok(Object.is(y?.[i], rounded(value as number)), `${op}(${value}) = ${y?.[i]}`);
      }
    });

  test('constants and channel vectors of 64-bit and 32-bit integers', () => {
    const engine = freshEngine(variant);
    for (const [register, storage, from] of REGISTERS) {
      const x = Array.from({ length: 3 * 700 }, (_, i) => i - 1000);
      const [y] = runChain(engine, {
        register,
        dims: [700, 3],
        operands: [
          { storage, strides: [3, 1], data: from(x) },
          { storage, strides: [0, 1], data: from([3, 5, 7]) },
          { value: -2 },
        ],
        instructions: [
          { op: 'Fmod', args: [0, 1] },
          { op: 'Pow', args: [1, 0] },
          { op: 'Div', args: [2, 1] },
          { op: 'Mul', args: [3, 2] },
        ],
        outputs: [{ storage, value: 6 }],
      });
      for (const [i, v] of x.entries()) assert.is(Number(y?.[i]) + 0, (v % ([3, 5, 7][i % 3] as number)) * -2 + 0);
    }
  });

  test('integers neither trap nor lose bits', () => {
    const engine = freshEngine(variant);
    const low = -(2n ** 63n);
    const a = [low, low, 7n, 2n ** 62n + 1n, -8n];
    const b = [-1n, 0n, 0n, 1n, 1n];
    const run = (op: OpcodeName) =>
      runChain(engine, {
        register: 'I64',
        dims: [5],
        operands: [a, b].map((x) => ({ storage: 'Int64' as const, strides: [1], data: BigInt64Array.from(x) })),
        instructions: [{ op, args: [0, 1], alpha: 3 }],
        outputs: [{ storage: 'Int64', value: 2 }],
      })[0];
    assert.equal([...(run('Div') as Typed as BigInt64Array)], [low, 0n, 0n, 2n ** 62n + 1n, -8n]);
    assert.equal([...(run('Mod') as Typed as BigInt64Array)], [0n, 0n, 0n, 0n, 0n]);
    assert.equal([...(run('Min') as Typed as BigInt64Array)], [low, low, 0n, 1n, -8n]);
    assert.equal([...(run('ShiftRight') as Typed as BigInt64Array)], [0n, low, 7n, 2n ** 61n, 2n ** 63n - 4n]);
    assert.equal([...(run('SignExtend') as Typed as BigInt64Array)], [0n, 0n, -1n, 1n, 0n]);
    assert.equal([...(run('ZeroExtend') as Typed as BigInt64Array)], [0n, 0n, 7n, 1n, 0n]);
  });

  test('a chain with several outputs, kept and shared values', () => {
    const count = 40_003;
    const x = randomFloats(count, 7);
    const [sum, below, again] = runChain(freshEngine(variant), {
      register: 'F32',
      dims: [count],
      operands: [{ storage: 'Float32', strides: [1], data: x }, { value: 0.25 }],
      instructions: [
        { op: 'Add', args: [0, 1] },
        { op: 'Less', args: [2, 0] },
        { op: 'Abs', args: [2] },
        { op: 'Less', args: [0, 4] },
      ],
      outputs: [
        { storage: 'Float32', value: 2 },
        { storage: 'Bool', value: 5 },
        { storage: 'Float32', value: 2 },
      ],
    }) as [Typed, Typed, Typed];
    for (let i = 0; i < count; i++) {
      const v = Math.fround((x[i] as number) + 0.25);
      assert.is(sum[i], v);
      assert.is(again[i], v);
      assert.is(below[i], int((x[i] as number) < Math.abs(v)));
    }
  });

  test('an output may lie on a dense operand', () => {
    const engine = freshEngine(variant);
    const count = 20_001;
    const x = randomFloats(count, 8);
    const pointer = placeGuarded(engine, x);
    const launch = planElementwise({
      register: 'F32',
      dims: [count],
      operands: [{ pointer, storage: 'Float32', strides: [1] }],
      instructions: [
        { op: 'Neg', args: [0] },
        { op: 'Abs', args: [1] },
        { op: 'Sub', args: [2, 0] },
      ],
      outputs: [{ pointer, storage: 'Float32', value: 2 }],
    });
    const table = placeGuarded(engine, Int32Array.from(launch.table as number[]));
    engine.launch(launch.kernel, { ...launch.params, table } as ElementwiseParams, launch.tiles as number);
    for (let i = 0; i < count; i++) assert.is(engine.f32[pointer / 4 + i], Math.abs(x[i] as number));
  });

  test.run();
}

const planning = suite('elementwise planning');

planning('dimensions that every operand walks as one are merged', () => {
  const dims = [2, 1, 3, 4];
  assert.equal(collapse(dims, [broadcastStrides([2, 1, 3, 4], dims), broadcastStrides([1], dims)]), {
    dims: [24],
    strides: [[1], [0]],
  });
  assert.equal(collapse(dims, [broadcastStrides(dims, dims), broadcastStrides([4], dims)]), {
    dims: [6, 4],
    strides: [
      [4, 1],
      [0, 1],
    ],
  });
});

planning.run();
