import { float, ints } from '../../../../src/builder/index.js';
import { type Draft, type KnownTensor, Unfit } from '../draft.js';
import { isFixed, isReal, type Maker, type Makers } from '../makers/maker.js';
import { type Spelling, spelling } from './spelling.js';

const widthOf = (x: KnownTensor) => {
  const width = x.dims.at(-1);
  if (!isReal(x) || !isFixed(width) || width === 0) throw new Unfit();
  return width;
};

const mean = (g: Draft, x: KnownTensor, axis: number) =>
  g.opset >= 18 ? g.op('ReduceMean', [x, g.integers([axis])]) : g.op('ReduceMean', [x], { axes: ints([axis]) });

const square = (g: Draft, s: Spelling, x: KnownTensor) =>
  g.choices.chance(0.5) ? g.op('Mul', [x, x]) : g.op('Pow', [x, g.number(s.number(2), x.type)]);

/** (x − mean) / √(variance + ε) · γ + β, as PyTorch, Keras and others write it. */
const layerNorm: Maker = (g, x) => {
  const width = widthOf(x);
  const s = spelling(g);
  const axis = s.slip(() => x.dims.length - 2) ?? g.choices.pick([-1, x.dims.length - 1]);
  const centred = g.op('Sub', [x, mean(g, x, axis)]);
  const again = g.choices.chance(0.3) ? g.op('Sub', [x, mean(g, x, axis)]) : centred;
  const variance = mean(g, square(g, s, again), axis);
  const deviation = g.op('Sqrt', [g.op('Add', s.either(variance, g.number(s.number(1e-3), x.type)))]);
  const normal = g.choices.chance(0.7)
    ? g.op('Div', [centred, deviation])
    : g.op('Mul', s.either(centred, g.op('Reciprocal', [deviation])));
  if (g.choices.chance(0.2)) return;
  const scaled = g.op('Mul', s.either(normal, g.floats(s.slip(() => [1]) ?? [width], x.type)));
  if (g.choices.chance(0.8)) g.op('Add', s.either(scaled, g.floats([width], x.type)));
};

const rmsNorm: Maker = (g, x) => {
  const width = widthOf(x);
  const s = spelling(g);
  const power = mean(g, square(g, s, x), -1);
  const root = g.op('Sqrt', [g.op('Add', s.either(power, g.number(s.number(1e-3), x.type)))]);
  const normal = g.choices.chance(0.5) ? g.op('Div', [x, root]) : g.op('Mul', s.either(x, g.op('Reciprocal', [root])));
  g.op('Mul', s.either(normal, g.floats([width], x.type)));
};

/** Weights [k, n] behind `x`, with a bias now and then. */
const project = (g: Draft, s: Spelling, x: KnownTensor, n: number): KnownTensor => {
  const made = g.op('MatMul', [x, g.floats([widthOf(x), n], x.type)]);
  return g.choices.chance(0.6) ? g.op('Add', s.either(made, g.floats([n], x.type))) : made;
};

/** What keys and values come from: `x` itself, or as in decoders another sequence, now and then a long one. */
const memoryOf = (g: Draft, x: KnownTensor): KnownTensor => {
  const { chance, pick } = g.choices;
  if (chance(0.6)) return x;
  const [batch, , width] = x.dims as [number, number, number];
  return isFixed(batch) && isFixed(width) ? g.floats([batch, pick([...g.sizes, 33, 150]), width], x.type) : x;
};

/** q·kᵀ/√size: one factor on the scores or on q, or as PyTorch exports it its root on either side. */
const scores = (g: Draft, s: Spelling, q: KnownTensor, k: KnownTensor, size: number): KnownTensor => {
  const number = (x: number) => g.number(s.number(x), q.type);
  const times = (x: KnownTensor, factor: number) =>
    g.choices.chance(0.7) ? g.op('Mul', s.either(x, number(factor))) : g.op('Div', [x, number(1 / factor)]);
  const factor = 1 / Math.sqrt(size);
  const where = g.choices.below(3);
  if (where === 0) return g.op('MatMul', [times(q, factor), k]);
  if (where === 1) return times(g.op('MatMul', [q, k]), factor);
  return g.op('MatMul', [times(q, Math.sqrt(factor)), times(k, Math.sqrt(factor))]);
};

/** softmax(q·kᵀ·scale + mask)·v over heads, from [batch, rows, width]. */
const attention: Maker = (g, x) => {
  if (x.dims.length !== 3 || x.values.some(({ dims }) => dims.includes(0))) throw new Unfit();
  const { chance, pick } = g.choices;
  const s = spelling(g);
  const [heads, size] = [pick([1, 2]), pick([2, 4, 8])];
  const memory = memoryOf(g, x);
  const [rows, keys] = [x.dims[1] as number, memory.dims[1] as number];
  const toHeads = (y: KnownTensor, perm: readonly number[]) => {
    const length = y.dims[1];
    const split = g.op('Reshape', [y, g.integers([0, isFixed(length) && chance(0.5) ? length : -1, heads, size])]);
    return g.op('Transpose', [split], { perm: ints(perm) });
  };
  const [q, v] = [project(g, s, x, heads * size), project(g, s, memory, heads * size)];
  const k = toHeads(project(g, s, memory, heads * size), chance(0.5) ? [0, 2, 3, 1] : [0, 2, 1, 3]);
  const right = k.dims[2] === size && k.dims[3] !== size ? k : g.op('Transpose', [k], { perm: ints([0, 1, 3, 2]) });
  const left = toHeads(q, [0, 2, 1, 3]);
  const scaled = scores(g, s, left, right, size);
  const isOpen = !isFixed(rows) || !isFixed(keys);
  const mask = () => g.floats(isOpen ? [1] : pick([[rows, keys], [1, 1, rows, keys], [keys]]), x.type);
  const masked = chance(0.5) ? g.op('Add', s.either(scaled, mask())) : scaled;
  const weights = g.op('Softmax', [masked], { axis: s.slip(() => 2) ?? pick([-1, 3]) });
  const mixed = g.op('MatMul', [weights, toHeads(v, s.slip(() => [0, 2, 1, 3]) ?? [0, 2, 1, 3])]);
  const joined = g.op('Transpose', [mixed], { perm: ints([0, 2, 1, 3]) });
  g.op('Reshape', [joined, g.integers([0, -1, heads * size])]);
};

/** x·cos + rotate(x)·sin, by halves. */
const rotary: Maker = (g, x) => {
  const width = widthOf(x);
  if (width % 2 || x.dims.length < 2) throw new Unfit();
  const s = spelling(g);
  const axis = g.integers([s.slip(() => 0) ?? x.dims.length - 1]);
  const [half, end] = [g.integers([width / 2]), g.integers([2 ** 31 - 1])];
  const [first, second] = [g.op('Slice', [x, g.integers([0]), half, axis]), g.op('Slice', [x, half, end, axis])];
  const rotated = g.op('Concat', [g.op('Neg', [second]), first], { axis: -1 });
  const [cos, sin] = [g.floats([width], x.type), g.floats([width], x.type)];
  g.op('Add', s.either(g.op('Mul', s.either(x, cos)), g.op('Mul', s.either(rotated, sin))));
};

const groupNorm: Maker = (g, x) => {
  const [n, c, ...spatial] = x.dims;
  if (x.dims.length !== 4 || !isFixed(c) || !isFixed(n) || !spatial.every(isFixed) || !isReal(x) || c % 2)
    throw new Unfit();
  const s = spelling(g);
  const grouped = g.op('Reshape', [x, g.integers([0, 2, -1])]);
  const each = (value: number) => g.number(s.number(value), x.type, [2]);
  const shift = g.number(s.slip(() => 0.5) ?? 0, x.type, [2]);
  const normal = g.op('InstanceNormalization', [grouped, each(1), shift], {
    epsilon: float(g.choices.pick([1e-5, 0.1])),
  });
  const back = g.op('Reshape', [normal, g.op('Shape', [x])]);
  const scaled = g.op('Mul', s.either(back, g.floats([c, 1, 1], x.type)));
  g.op('Add', s.either(scaled, g.floats([c, 1, 1], x.type)));
};

export const TRANSFORMER: Makers = [
  [4, layerNorm],
  [2, rmsNorm],
  [4, attention],
  [1.5, rotary],
  [1.5, groupNorm],
];
