import { elementCount } from '../../../../src/tensor/tensor-value.js';
import { type Draft, type KnownTensor, Unfit } from '../draft.js';
import { isFixed, type Maker, type Makers } from './maker.js';

/** One size of `x`, as exporters write it. */
function sizeAt(g: Draft, x: KnownTensor, axis: number): KnownTensor {
  const { chance } = g.choices;
  if (g.opset >= 15 && chance(0.3)) return g.op('Shape', [x], { start: axis, end: axis + 1 });
  const shape = g.op('Shape', [x]);
  if (chance(0.4)) return g.op('Slice', [shape, g.integers([axis]), g.integers([axis + 1]), g.integers([0])]);
  const size = g.op('Gather', [shape, g.integers([axis], [])]);
  return g.op('Unsqueeze', [size, g.integers([0])]);
}

/** Reshape by sizes that are computed: two axes become one, or the last is split. */
const reshapeByShape: Maker = (g, x) => {
  const rank = x.dims.length;
  if (rank < 2 || rank > 5) throw new Unfit();
  const at = g.choices.below(rank - 1);
  const sizes = x.dims.map((d, axis) => (isFixed(d) && g.choices.chance(0.5) ? g.integers([d]) : sizeAt(g, x, axis)));
  const joined = g.op('Mul', [sizes[at] as KnownTensor, sizes[at + 1] as KnownTensor]);
  const merged = [...sizes.slice(0, at), joined, ...sizes.slice(at + 2)];
  const flat = g.op('Reshape', [x, g.op('Concat', merged, { axis: 0 })]);
  if (g.choices.chance(0.5)) g.op('Reshape', [g.op('Relu', [flat]), g.op('Concat', sizes, { axis: 0 })]);
};

const expandLike: Maker = (g, x) => {
  const other = g.choices.pick(g.tensors);
  g.op('Expand', [x, g.op('Shape', [other])]);
};

const filled: Maker = (g, x) => {
  const value = { type: 'float32' as const, dims: [1], data: Float32Array.of(g.choices.pick([0, 1, 2.5])) };
  const made = g.op('ConstantOfShape', [g.op('Shape', [x])], g.choices.chance(0.7) ? { value } : {});
  if (x.type === 'float32') g.op(g.choices.pick(['Add', 'Mul', 'Max']), [x, made]);
};

/** Positions along an axis: 0, 1, 2 … */
const positions: Maker = (g, x) => {
  const axis = g.choices.below(x.dims.length);
  const size = g.op('Squeeze', [sizeAt(g, x, axis), g.integers([0])]);
  const range = g.op('Range', [g.integers([0], []), size, g.integers([1], [])]);
  const floats = g.op('Cast', [range], { to: 1 });
  if (axis === x.dims.length - 1 && x.type === 'float32') g.op('Mul', [x, floats]);
};

const size: Maker = (g, x) => {
  const count = g.op('Cast', [g.op('Size', [x])], { to: 1 });
  if (x.type === 'float32') g.op('Div', [g.op('ReduceSum', [x], { keepdims: 0 }), count]);
};

const halves: Maker = (g, x) => {
  const axis = x.dims.length - 1;
  if (axis < 0) throw new Unfit();
  const half = g.op('Div', [sizeAt(g, x, axis), g.integers([2])]);
  const axes = g.integers([axis]);
  const end = g.integers([2 ** 31 - 1]);
  const [first, second] = [g.op('Slice', [x, g.integers([0]), half, axes]), g.op('Slice', [x, half, end, axes])];
  g.op('Concat', [g.op('Neg', [second]), first], { axis });
};

const eyeLike: Maker = (g, x) => {
  if (x.dims.length !== 2 || elementCount(x.dims.map(Math.abs)) > 400) throw new Unfit();
  g.op('EyeLike', [x], { k: g.choices.pick([-1, 0, 1]) });
};

export const SHAPES: Makers = [
  [4, reshapeByShape],
  [1.5, expandLike],
  [1.5, filled],
  [1.5, positions],
  [1, size],
  [2, halves],
  [0.4, eyeLike],
];
