import { ints } from '../../../../src/builder/index.js';
import { type Draft, type KnownTensor, Unfit } from '../draft.js';
import { isFixed, type Maker, type Makers, widthOf } from '../makers/maker.js';
import { type Spelling, spelling } from './spelling.js';

/** Weights [k, n] behind `x`, with a bias now and then. */
const project = (g: Draft, s: Spelling, x: KnownTensor, n: number): KnownTensor => {
  const made = g.op('MatMul', [x, g.floats([widthOf(x), n], x.type)]);
  return g.choices.chance(0.6) ? g.op('Add', s.either(made, g.floats([n], x.type))) : made;
};

/** What keys and values come from: `x` itself, or as in decoders another sequence, now and then a long one. */
const memoryOf = (g: Draft, x: KnownTensor): KnownTensor => {
  const { chance, pick } = g.choices;
  const [batch, , width] = x.dims as [number, number, number];
  if (!isFixed(batch) || !isFixed(width) || chance(0.5)) return x;
  return g.input(x.type, [batch, pick([...g.sizes, 'm', 33, 150]), width], (count) => g.draw(x.type, count));
};

const times = (g: Draft, s: Spelling, x: KnownTensor, factor: number): KnownTensor => {
  const number = (value: number) => g.number(s.number(value), x.type);
  return g.choices.chance(0.7) ? g.op('Mul', s.either(x, number(factor))) : g.op('Div', [x, number(1 / factor)]);
};

/** Where q·kᵀ is scaled by 1/√size: before or after the product, or as PyTorch exports it by its root on either side. */
interface Factors {
  readonly q: number;
  readonly k: number;
  readonly transposedK: number;
  readonly scores: number;
}
const factorsOf = (g: Draft, size: number): Factors => {
  const factor = 1 / Math.sqrt(size);
  const root = Math.sqrt(factor);
  const none = { q: 1, k: 1, transposedK: 1, scores: 1 };
  const some = [{ q: factor }, { scores: factor }, { q: root, k: root }, { q: root, transposedK: root }];
  return { ...none, ...g.choices.pick<Partial<Factors>>(some) };
};

/** softmax(q·kᵀ·scale + mask)·v over heads, from [batch, rows, width]. */
const attention: Maker = (g, x) => {
  if (x.dims.length !== 3 || x.values.some(({ dims }) => dims.includes(0))) throw new Unfit();
  const { chance, pick } = g.choices;
  const s = spelling(g);
  const [heads, size] = [pick([1, 2]), pick([2, 4, 8])];
  const memory = memoryOf(g, x);
  const [rows, keys] = [x.dims[1] as number, memory.dims[1] as number];
  const factors = factorsOf(g, size);
  const scaled = (y: KnownTensor, of: keyof Factors) => (factors[of] === 1 ? y : times(g, s, y, factors[of]));
  const split = (y: KnownTensor) => {
    const length = y.dims[1];
    return g.op('Reshape', [y, g.integers([0, isFixed(length) && chance(0.5) ? length : -1, heads, size])]);
  };
  const turned = (y: KnownTensor, perm: readonly number[]) => g.op('Transpose', [y], { perm: ints(perm) });
  const toHeads = (y: KnownTensor) => turned(split(y), [0, 2, 1, 3]);
  const [q, v] = [project(g, s, x, heads * size), project(g, s, memory, heads * size)];
  const keyRows = split(project(g, s, memory, heads * size));
  const keyColumns = chance(0.5)
    ? turned(scaled(keyRows, 'k'), [0, 2, 3, 1])
    : turned(scaled(turned(keyRows, [0, 2, 1, 3]), 'k'), [0, 1, 3, 2]);
  const product = g.op('MatMul', [scaled(toHeads(q), 'q'), scaled(keyColumns, 'transposedK')]);
  const scores = scaled(product, 'scores');
  const isOpen = !isFixed(rows) || !isFixed(keys);
  const mask = () => g.floats(isOpen ? [1] : pick([[rows, keys], [1, 1, rows, keys], [keys]]), x.type);
  const masked = chance(0.5) ? g.op('Add', s.either(scores, mask())) : scores;
  const weights = g.op('Softmax', [masked], { axis: s.slip(() => 2) ?? pick([-1, 3]) });
  const mixed = g.op('MatMul', [weights, toHeads(v)]);
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

export const TRANSFORMER: Makers = [
  [6, attention],
  [1.5, rotary],
];
