import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { OpcodeName } from '../../bindings/elementwise.js';
import { runChain } from './chains.js';
import { freshEngine, randomFloats, variants } from './kernels.js';

/** erf by its series and continued fraction, in float64; witness for the kernels' rational. */
function erf(x: number): number {
  const a = Math.abs(x);
  let y = 1;
  if (a < 1.5) {
    let term = a;
    let sum = a;
    for (let n = 1; n < 60; n++) {
      term *= (-a * a) / n;
      sum += term / (2 * n + 1);
    }
    y = (sum * 2) / Math.sqrt(Math.PI);
  } else if (a < 6) {
    let f = 0;
    for (let k = 500; k > 0; k--) f = k / 2 / (a + f);
    y = 1 - Math.exp(-a * a) / Math.sqrt(Math.PI) / (a + f);
  }
  return Number.isNaN(x) ? x : Math.sign(x) * y;
}

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));
const softplus = (x: number) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
const ROOT = Math.sqrt(2 / Math.PI);

/** Every binade with both signs, dense around 0, and the values where something changes. */
function arguments32(): Float32Array {
  const special = [0, -0, Number.NaN, Infinity, -Infinity, 1, -1, 1.4e-45, -1.4e-45, 1.17549435e-38, 3.4028234e38];
  const edges = [88.72, 88.73, 89, -87.33, -87.34, -103.97, -104, -150, 4.05, -4.05, 9.8, -9.8, 0.5, 2.5, -1.5];
  const values = [...special, ...edges];
  for (let e = -149; e < 128; e++)
    for (let k = 0; k < 16; k++) values.push((1 + k / 16.3) * 2 ** e, -(1 + k / 16.3) * 2 ** e);
  for (let i = 0; i < 20000; i++) values.push((i - 10000) / 400 + 1e-4);
  return Float32Array.from(values);
}

interface Case {
  readonly op: OpcodeName;
  readonly reference: (x: number) => number;
  /** Largest error in units in the last place, or absolutely relative to max(1, |x|). */
  readonly ulp?: number;
  readonly absolute?: number;
  /** Results below this in size may be 0. */
  readonly flush?: number;
  readonly range?: readonly [number, number];
  readonly domain?: (x: number) => boolean;
  readonly alpha?: number;
  readonly beta?: number;
}

const NORMAL = 2 ** -126;
const CASES: Case[] = [
  { op: 'Exp', reference: Math.exp, ulp: 1.5, range: [0, Infinity] },
  { op: 'Log', reference: Math.log, ulp: 2 },
  { op: 'Tanh', reference: Math.tanh, ulp: 6, range: [-1, 1] },
  { op: 'Sigmoid', reference: sigmoid, ulp: 3, flush: NORMAL, range: [0, 1] },
  { op: 'Erf', reference: erf, ulp: 7, range: [-1, 1] },
  { op: 'Silu', reference: (x) => x * sigmoid(x), ulp: 4, flush: 2 ** -119, domain: Number.isFinite },
  { op: 'GeluErf', reference: (x) => 0.5 * x * (1 + erf(x * Math.SQRT1_2)), absolute: 5e-7, domain: Number.isFinite },
  {
    op: 'GeluTanh',
    reference: (x) => 0.5 * x * (1 + Math.tanh(ROOT * (x + 0.044715 * x ** 3))),
    absolute: 5e-7,
    domain: Number.isFinite,
  },
  { op: 'Softplus', reference: softplus, ulp: 4, flush: NORMAL, range: [0, Infinity] },
  { op: 'Mish', reference: (x) => x * Math.tanh(softplus(x)), ulp: 6, flush: 2 ** -119, domain: Number.isFinite },
  { op: 'Elu', reference: (x) => (x > 0 ? x : Math.expm1(x)), alpha: 1, ulp: 3, range: [-1, Infinity] },
  { op: 'Celu', reference: (x) => (x > 0 ? x : 2 * Math.expm1(x / 2)), alpha: 2, ulp: 3 },
  {
    op: 'Selu',
    reference: (x) => 1.05 * (x > 0 ? x : 1.67 * Math.expm1(x)),
    alpha: 1.67,
    beta: 1.05,
    ulp: 6,
  },
  {
    op: 'HardSwish',
    reference: (x) => x * Math.min(Math.max(x / 6 + 0.5, 0), 1),
    absolute: 3e-7,
    domain: Number.isFinite,
  },
  {
    op: 'HardSigmoid',
    reference: (x) => Math.min(Math.max(0.2 * x + 0.5, 0), 1),
    alpha: 0.2,
    beta: 0.5,
    absolute: 1e-7,
  },
  { op: 'Sin', reference: Math.sin, ulp: 1, range: [-1, 1] },
  { op: 'Cos', reference: Math.cos, ulp: 1, range: [-1, 1] },
  { op: 'Tan', reference: Math.tan, ulp: 1 },
  { op: 'Asin', reference: Math.asin, ulp: 1 },
  { op: 'Acos', reference: Math.acos, ulp: 1 },
  { op: 'Atan', reference: Math.atan, ulp: 1 },
  { op: 'Sinh', reference: Math.sinh, ulp: 1 },
  { op: 'Cosh', reference: Math.cosh, ulp: 1 },
  { op: 'Asinh', reference: Math.asinh, ulp: 1 },
  { op: 'Acosh', reference: Math.acosh, ulp: 1 },
  { op: 'Atanh', reference: Math.atanh, ulp: 1 },
  { op: 'Sqrt', reference: Math.sqrt, ulp: 0.5 },
  { op: 'Reciprocal', reference: (x) => 1 / x, ulp: 0.5 },
];

const ulpOf = (x: number) => 2 ** Math.max(Math.floor(Math.log2(Math.abs(x) || NORMAL)) - 23, -149);

const ulp64 = (x: number) =>
  Math.max(2 ** (Math.floor(Math.log2(Math.abs(x) || Number.MIN_VALUE)) - 52), Number.MIN_VALUE);

function checkFloat32(c: Case, x: number, actual: number): void {
  const exact = c.reference(x);
  const about = `${c.op}(${x}) = ${actual}, expected ${exact}`;
  if (c.range) assert.ok(Number.isNaN(actual) || (actual >= c.range[0] && actual <= c.range[1]), about);
  if (c.domain && !c.domain(x)) return;
  const rounded = Math.fround(exact);
  if (!Number.isFinite(rounded)) {
    assert.ok(Object.is(actual, rounded), about);
    return;
  }
  if (actual === 0 && Math.abs(exact) < (c.flush ?? 0)) return;
  const bound = c.absolute !== undefined ? c.absolute * Math.max(1, Math.abs(x)) : (c.ulp ?? 0) * ulpOf(exact);
  assert.ok(Math.abs(actual - exact) <= bound, `${about}, ${Math.abs(actual - exact) / ulpOf(exact)} ULP`);
}

const unary = (c: Case, register: 'F32' | 'F64', data: ArrayBufferView & { length: number }) => ({
  register,
  dims: [data.length],
  operands: [{ storage: register === 'F32' ? ('Float32' as const) : ('Float64' as const), strides: [1], data }],
  instructions: [{ op: c.op, args: [0], alpha: c.alpha ?? 0, beta: c.beta ?? 0 }],
  outputs: [{ storage: register === 'F32' ? ('Float32' as const) : ('Float64' as const), value: 1 }],
});

for (const variant of variants) {
  const test = suite(`math (${variant})`);
  const x = arguments32();

  for (const c of CASES) {
    test(`${c.op} in f32: ${c.ulp !== undefined ? `${c.ulp} ULP` : `${c.absolute} absolute`}`, () => {
      const [y] = runChain(freshEngine(variant), unary(c, 'F32', x)) as [Float32Array];
      for (const [i, v] of x.entries()) checkFloat32(c, v, y[i] as number);
    });
  }

  const power = <T extends Float32Array | Float64Array>(a: T, b: T): T => {
    const storage = a instanceof Float32Array ? 'Float32' : 'Float64';
    return runChain(freshEngine(variant), {
      register: storage === 'Float32' ? 'F32' : 'F64',
      dims: [a.length],
      operands: [a, b].map((data) => ({ storage, strides: [1], data })),
      instructions: [{ op: 'Pow', args: [0, 1] }],
      outputs: [{ storage, value: 2 }],
    })[0] as unknown as T;
  };

  test('Pow in f32: 1 ULP between 2⁻¹⁶ and 2¹⁶, 3 ULP beyond', () => {
    const bases = randomFloats(60_000, 5).map((v, i) => (i % 3 ? (1 + v) * 2 ** ((i % 9) - 4) : 2 ** (149 * v)));
    const exponents = randomFloats(60_000, 6).map((v, i) => (i % 4 ? 10 * v : 150 * v));
    const y = power(bases, exponents);
    for (const [i, base] of bases.entries()) {
      const exact = base ** (exponents[i] as number);
      const ulp = Math.abs(Math.log2(exact)) <= 16 ? 1 : 3;
      checkFloat32({ op: 'Pow', reference: () => exact, ulp }, base, y[i] as number);
    }
  });

  test('Pow of special values is that of C', () => {
    const special = [0, -0, 1, -1, 2, -2, -3.5, 0.5, 3, 4, -5, 1e-40, -1e-40, 1e30, -1e38, Infinity, -Infinity, NaN];
    const pairs = special.flatMap((a) => special.map((b) => [a, b] as const));
    const y = power(
      Float32Array.from(pairs, ([a]) => a),
      Float32Array.from(pairs, ([, b]) => b),
    );
    for (const [i, [a, b]] of pairs.entries()) {
      const ofOne = a === 1 || (Math.abs(a) === 1 && Math.abs(b) === Infinity);
      const exact = ofOne ? 1 : Math.fround(a) ** Math.fround(b);
      checkFloat32({ op: 'Pow', reference: () => exact, ulp: 1 }, a, y[i] as number);
      if (exact === 0) assert.ok(Object.is(y[i], exact), `${a} ** ${b} = ${y[i]}`);
    }
  });

  test('Pow of special values in f64 is that of C', () => {
    const finite = [
      0,
      -0,
      1,
      -1,
      2,
      -2,
      0.5,
      3,
      -3.5,
      5e-324,
      -5e-324,
      1e300,
      -1e-300,
      2 ** 53 + 2,
      -1.7976931348623157e308,
    ];
    const special = [...finite, Infinity, -Infinity, NaN];
    const pairs = special.flatMap((a) => special.map((b) => [a, b] as const));
    const y = power(
      Float64Array.from(pairs, ([a]) => a),
      Float64Array.from(pairs, ([, b]) => b),
    );
    for (const [i, [a, b]] of pairs.entries()) {
      const ofOne = a === 1 || (Math.abs(a) === 1 && Math.abs(b) === Infinity);
      const exact = ofOne ? 1 : a ** b;
      const [near, far] = [ulp64(exact), Math.abs((y[i] as number) - exact)];
      assert.ok(
        Object.is(y[i], exact) || (exact !== 0 && far <= 2 * near),
        `${a} ** ${b} = ${y[i]}, expected ${exact}`,
      );
    }
  });

  test('Exp, Log and Pow in f64: 2 ULP of what the engine says', () => {
    const uniform = Float64Array.from(randomFloats(30_000, 7));
    const exponents = uniform.map((v, i) => v * ([1500, 2, 40][i % 3] as number));
    const bases = uniform.map((v, i) => [2 ** (1070 * v), 1 + v / 20, 1.0001 + v][i % 3] as number);
    const powers = bases.map(
      (base, i) => ([3, 740 / Math.log(base), -5.5][i % 3] as number) * (uniform[(i * 7) % 30_000] as number),
    );
    const engine = freshEngine(variant);
    const unaryOf = (op: 'Exp' | 'Log', data: Float64Array) =>
      runChain(engine, unary({ op, reference: Math[op === 'Exp' ? 'exp' : 'log'] }, 'F64', data))[0] as Float64Array;
    const checks: [string, Float64Array, (i: number) => number][] = [
      ['Exp', unaryOf('Exp', exponents), (i) => Math.exp(exponents[i] as number)],
      ['Log', unaryOf('Log', bases), (i) => Math.log(bases[i] as number)],
      ['Pow', power(bases, powers), (i) => (bases[i] as number) ** (powers[i] as number)],
    ];
    for (const [op, y, reference] of checks)
      for (const [i, actual] of y.entries()) {
        const exact = reference(i);
        const near = Object.is(actual, exact) || Math.abs(actual - exact) <= 2 * ulp64(exact);
        assert.ok(near, `${op} at ${i}: ${actual}, expected ${exact}`);
      }
  });

  test('every function in f64: 1e-14 relative', () => {
    const engine = freshEngine(variant);
    const wide = Float64Array.from(x).filter((v) => Math.abs(v) < 1e30);
    for (const c of CASES) {
      const [y] = runChain(engine, unary(c, 'F64', wide)) as [Float64Array];
      for (const [i, v] of wide.entries()) {
        const expected = c.reference(v);
        if (!Number.isFinite(expected)) continue;
        const bound = 1e-14 * Math.abs(expected) + 1e-15 * Math.max(1, Math.abs(v));
        assert.ok(Math.abs((y[i] as number) - expected) <= bound, `${c.op}(${v}) = ${y[i]}, expected ${expected}`);
      }
    }
  });

  test.run();
}
