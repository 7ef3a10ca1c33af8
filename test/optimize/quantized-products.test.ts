import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type GraphBuilder, modelBuilder, tensor } from '../../src/builder/index.js';
import type { Value } from '../../src/graph/graph.js';
import { roundHalfEven } from '../../src/optimize/rules/integer-bounds.js';
import { InferenceSession } from '../../src/session/inference-session.js';
import { rangeOf } from '../../src/tensor/element-types.js';
import { elementCount, type TensorValue } from '../../src/tensor/tensor-value.js';
import { type Choices, choicesOf } from '../fuzz/graphs/choices.js';
import { seriesByTier } from '../tier.js';

/** Products between DequantizeLinear and QuantizeLinear, optimised and not, against a loop in float64. */
const test = suite('products of dequantised integers');
const CASES = seriesByTier({ quick: 100, ci: 300, all: 100_000 });
const SEED = Number(process.env.SEED ?? 4);

type Narrow = 'int8' | 'uint8';
interface Codes {
  readonly type: Narrow;
  readonly dims: readonly number[];
  readonly data: readonly number[];
  readonly scales: readonly number[];
  readonly zeros: readonly number[];
}
interface Bias {
  readonly type: 'float32' | 'int32';
  readonly dims: readonly number[];
  readonly data: readonly number[];
  readonly scale: number;
}
/** One product: `columns` of `depth` products each; `place` says which weight and which element of x (−1: padding) meet. */
interface Case {
  readonly op: 'Conv' | 'Gemm' | 'MatMul';
  readonly attributes: Readonly<Record<string, number | readonly number[]>>;
  readonly x: Codes;
  readonly w: Codes;
  readonly axis: number;
  readonly bias: Bias | undefined;
  readonly activation: 'None' | 'Relu' | 'Clip';
  readonly y: { readonly type: Narrow; readonly scale: number; readonly zero: number } | undefined;
  readonly outDims: readonly number[];
  /** The terms of result `i`: pairs of indices into x and w. */
  terms(i: number): readonly (readonly [x: number, w: number])[];
  columnOf(i: number): number;
}

const ORDINARY = [0.02, 0.05, 0.003, 1];
const STRANGE = [0, 1e-9, 1e-12, 1e-30, 1e-40, 1e30, Number.POSITIVE_INFINITY, Number.NaN];
const CLIP = [-0.40625, 3] as const;

const sizesOf = (count: number, make: () => number) => Array.from({ length: count }, make);

function codes(g: Choices, dims: readonly number[], scales: readonly number[], mayMove: boolean): Codes {
  const type: Narrow = g.pick(['int8', 'uint8'] as const);
  const [least, largest] = rangeOf(type);
  const any = () => least + g.below(largest - least + 1);
  const data = sizesOf(elementCount(dims), () => (g.chance(0.1) ? g.pick([least, largest]) : any()));
  return {
    type,
    dims,
    data,
    scales,
    zeros: scales.map(() => (mayMove && g.chance(0.5) ? any() : type === 'int8' ? 0 : 128)),
  };
}

function weightScales(g: Choices, columns: number, odd: number): number[] {
  const own = () => (g.chance(odd) ? g.pick(STRANGE) : g.pick(ORDINARY));
  return g.chance(0.6) ? sizesOf(columns, own) : [own()];
}

function biasOf(g: Choices, columns: number, rows: number): Bias | undefined {
  if (g.chance(0.2)) return undefined;
  const dims = rows > 0 && g.chance(0.2) ? g.pick([[rows, 1], [1, columns], []]) : [columns];
  const type = g.pick(['float32', 'int32'] as const);
  const scale = type === 'float32' ? 1 : g.pick([0.01, 0.02, 1e-4, 1e-12, 0]);
  const data = sizesOf(elementCount(dims), () =>
    type === 'int32' ? g.below(2001) - 1000 : g.chance(0.1) ? g.pick([0, 1e10, -1e10]) : 8 * g.next() - 4,
  );
  return { type, dims, data, scale };
}

function caseOf(seed: number): Case {
  const g = choicesOf(seed);
  const odd = g.pick([0, 0.2, 0.5]);
  const op = g.pick(['Conv', 'Conv', 'Gemm', 'MatMul'] as const);
  const xScale = [g.chance(odd / 3) ? g.pick(STRANGE) : g.pick(ORDINARY)];
  const yScale = () => (g.chance(odd / 3) ? g.pick(STRANGE) : g.pick(ORDINARY));
  const finish = () => {
    const type = g.pick(['int8', 'uint8'] as const);
    return {
      activation: g.pick(['None', 'None', 'Relu', 'Clip'] as const),
      y: g.chance(0.8)
        ? { type, scale: yScale(), zero: g.pick(type === 'int8' ? [0, -128, 17] : [0, 128, 255]) }
        : undefined,
    };
  };
  if (op === 'Conv') {
    const depthwise = g.chance(0.3);
    const [channels, side, kernel] = [g.pick([1, 3, 4, 8, 17]), g.pick([3, 4, 6]), g.pick([1, 3])];
    const group = depthwise ? channels : 1;
    const columns = depthwise ? channels : g.pick([1, 3, 8, 9]);
    const inGroup = channels / group;
    const pad = kernel === 3 ? g.below(2) : 0;
    const out = side + 2 * pad - kernel + 1;
    const x = codes(g, [1, channels, side, side], xScale, true);
    const w = codes(g, [columns, inGroup, kernel, kernel], weightScales(g, columns, odd), g.chance(0.3));
    const columnOf = (i: number) => Math.floor(i / out / out);
    const terms = (i: number) => {
      const [column, h, v] = [columnOf(i), Math.floor(i / out) % out, i % out];
      const found: [number, number][] = [];
      for (let c = 0; c < inGroup; c++)
        for (let a = 0; a < kernel; a++)
          for (let b = 0; b < kernel; b++) {
            const [row, place] = [h + a - pad, v + b - pad];
            if (row < 0 || place < 0 || row >= side || place >= side) continue;
            const channel = depthwise ? column : c;
            found.push([(channel * side + row) * side + place, ((column * inGroup + c) * kernel + a) * kernel + b]);
          }
      return found;
    };
    const attributes = { pads: [pad, pad, pad, pad], group };
    const bias = biasOf(g, columns, 0);
    return { op, attributes, x, w, axis: 0, bias, outDims: [1, columns, out, out], terms, columnOf, ...finish() };
  }
  const [rows, depth, columns] = [g.pick([1, 3, 5]), g.pick([1, 4, 16, 33]), g.pick([1, 3, 5, 8, 9])];
  const transB = op === 'Gemm' ? g.below(2) : 0;
  const axis = transB ? 0 : 1;
  const x = codes(g, [rows, depth], xScale, true);
  const w = codes(g, transB ? [columns, depth] : [depth, columns], weightScales(g, columns, odd), g.chance(0.3));
  const columnOf = (i: number) => i % columns;
  const terms = (i: number) =>
    Array.from({ length: depth }, (_, k): [number, number] => [
      Math.floor(i / columns) * depth + k,
      transB ? columnOf(i) * depth + k : k * columns + columnOf(i),
    ]);
  const attributes: Case['attributes'] = op === 'Gemm' ? { transB } : {};
  const bias = op === 'Gemm' ? biasOf(g, columns, rows) : undefined;
  return { op, attributes, x, w, axis, bias, outDims: [rows, columns], terms, columnOf, ...finish() };
}

function modelOf({ op, attributes, x, w, axis, bias, activation, y }: Case): Uint8Array {
  const b = modelBuilder({ opset: 13 });
  const constants = new Map<string, Value>();
  const constant = (type: 'float32' | 'int32' | Narrow, dims: readonly number[], data: readonly number[]) => {
    const name = `c${constants.size}`;
    constants.set(name, b.constant(name, tensor(type, dims, data)));
    return constants.get(name) as Value;
  };
  const one = (own: GraphBuilder, name: string, inputs: readonly (Value | null)[], more = {}) =>
    own.node(name, inputs, more)[0] as Value;
  const vector = (list: readonly number[]) => (list.length === 1 ? [] : [list.length]);
  const steps = (own: Codes) => [
    constant('float32', vector(own.scales), own.scales),
    constant(own.type, vector(own.zeros), own.zeros),
  ];
  const fed = b.input('x', x.type, x.dims);
  const inputs = [
    one(b, 'DequantizeLinear', [fed, ...steps(x)]),
    one(b, 'DequantizeLinear', [constant(w.type, w.dims, w.data), ...steps(w)], { axis }),
  ];
  if (bias) {
    const known = constant(bias.type, bias.dims, bias.data);
    inputs.push(
      bias.type === 'float32' ? known : one(b, 'DequantizeLinear', [known, constant('float32', [], [bias.scale])]),
    );
  }
  let value = one(b, op, inputs, attributes);
  if (activation === 'Relu') value = one(b, 'Relu', [value]);
  if (activation === 'Clip') value = one(b, 'Clip', [value, ...CLIP.map((bound) => constant('float32', [], [bound]))]);
  const quantised = y && [constant('float32', [], [y.scale]), constant(y.type, [], [y.zero])];
  b.output('y', quantised ? one(b, 'QuantizeLinear', [value, ...quantised]) : value);
  return b.toBytes();
}

const { fround } = Math;
const LARGEST = 3.4028234663852886e38;
/** Sums in float32 of so many terms, in any order. */
const EPSILON = 2 ** -22;

/** Where result `i` may lie; undefined: where float32 leaves its range. */
function boundsOf(c: Case, i: number): readonly [low: number, high: number] | undefined {
  const column = c.columnOf(i);
  const of = (list: readonly number[]) => list[list.length === 1 ? 0 : column] as number;
  let [sum, size] = [0, 0];
  for (const [x, w] of c.terms(i)) {
    const a = fround(((c.x.data[x] as number) - (c.x.zeros[0] as number)) * fround(c.x.scales[0] as number));
    const b = fround(((c.w.data[w] as number) - of(c.w.zeros)) * fround(of(c.w.scales)));
    sum += a * b;
    size += Math.abs(a * b);
  }
  if (c.bias) {
    const { dims, data, scale } = c.bias;
    const at =
      data.length === 1 ? 0 : dims.length === 2 && dims[1] === 1 ? Math.floor(i / (c.outDims[1] as number)) : column;
    const own = (data[at] as number) * scale;
    sum += own;
    size += Math.abs(own);
  }
  if (!(size < LARGEST / 4)) return undefined;
  const slack = size * EPSILON * Math.sqrt(c.terms(i).length + 1) + 2 ** -120;
  const activated = (v: number) =>
    c.activation === 'Relu' ? Math.max(v, 0) : c.activation === 'Clip' ? Math.min(Math.max(v, CLIP[0]), CLIP[1]) : v;
  const [low, high] = [activated(sum - slack), activated(sum + slack)];
  const { y } = c;
  if (!y) return [low, high];
  if (!(y.scale > 2 ** -100 && y.scale < LARGEST)) return undefined;
  const [least, largest] = rangeOf(y.type);
  const quantum = (v: number, more: number) =>
    Math.min(Math.max(roundHalfEven(v / fround(y.scale)) + y.zero + more, least), largest);
  return [quantum(low, -1), quantum(high, 1)];
}

/** The results of the model at that level. */
async function run(c: Case, bytes: Uint8Array, options = {}): Promise<TensorValue> {
  const session = await InferenceSession.create(bytes, { intraOpNumThreads: 1, ...options });
  const results = await session.run({ x: tensor(c.x.type, c.x.dims, c.x.data) });
  await session.release();
  return results.y as TensorValue;
}

async function faultOf(seed: number): Promise<string | undefined> {
  const c = caseOf(seed);
  const bytes = modelOf(c);
  const plain = (await run(c, bytes, { graphOptimizationLevel: 'disabled' })).data as ArrayLike<number>;
  const optimised = (await run(c, bytes)).data as ArrayLike<number>;
  for (let i = 0; i < plain.length; i++) {
    const bounds = boundsOf(c, i);
    for (const [name, results] of [
      ['not optimised', plain],
      ['optimised', optimised],
    ] as const) {
      const value = results[i] as number;
      if (bounds && !(value >= bounds[0] && value <= bounds[1]))
        return `seed ${seed} (${c.op}), ${name}: [${i}] is ${value}, not in ${bounds[0]}…${bounds[1]}`;
    }
    const [a, b] = [plain[i] as number, optimised[i] as number];
    const isNear = c.y ? Math.abs(a - b) <= 1 : bounds !== undefined || Object.is(a, b);
    if (!isNear) return `seed ${seed} (${c.op}): [${i}] is ${b} optimised, ${a} not`;
  }
  return undefined;
}

test(`${CASES.length} of them, scales of 0, ∞ and NaN and dead channels among them`, async () => {
  const found: string[] = [];
  for (const seed of CASES.map((place) => SEED + place)) {
    const fault = await faultOf(seed);
    if (fault) found.push(fault);
  }
  if (process.env.FAULTS) console.log(found.join('\n'));
  assert.is(found.slice(0, 5).join('\n'), '', `${found.length} faults`);
});

test.run();
