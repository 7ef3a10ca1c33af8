import { ints } from '../../../../src/builder/index.js';
import { elementCount } from '../../../../src/tensor/tensor-value.js';
import { type Draft, type KnownTensor, Unfit } from '../draft.js';
import { axisOf, isFixed, type Maker, type Makers } from './maker.js';
import { scalarLike } from './partner.js';

const someAxis = (g: Draft, x: KnownTensor) => {
  if (x.dims.length === 0) throw new Unfit();
  return g.choices.below(x.dims.length);
};

const transpose: Maker = (g, x) => {
  const perm = g.choices.shuffled(x.dims.map((_, i) => i));
  g.op('Transpose', [x], g.choices.chance(0.15) || perm.length === 0 ? {} : { perm: ints(perm) });
};

/** Other sizes of the same count; an axis that varies is 0 (kept) or −1. */
const reshape: Maker = (g, x) => {
  const { chance, pick, shuffled } = g.choices;
  const open = x.dims.filter((d) => !isFixed(d)).length;
  const fixed = elementCount(x.dims.filter(isFixed));
  const first = pick([1, 2, 3, 4, 6].filter((d) => fixed % d === 0));
  const split = shuffled([first, fixed / first, ...(chance(0.3) ? [1] : [])]);
  if (open > 1 || fixed === 0) throw new Unfit();
  if (open === 0) {
    const wild = chance(0.3) ? split.map((d, i) => (i === 0 ? -1 : d)) : split;
    return void g.op('Reshape', [x, g.integers(wild)]);
  }
  const at = x.dims.findIndex((d) => !isFixed(d));
  if (at === 0 && chance(0.6)) return void g.op('Reshape', [x, g.integers([chance(0.5) ? 0 : -1, ...split])]);
  g.op('Reshape', [x, g.integers([...split, -1])]);
};

const squeeze: Maker = (g, x) => {
  const ones = x.dims.flatMap((d, i) => (d === 1 ? [i] : []));
  if (ones.length === 0) throw new Unfit();
  const axes = g.choices.shuffled(ones).slice(0, 1 + g.choices.below(ones.length));
  g.op('Squeeze', [x, g.integers(axes.map((axis) => axisOf(g, x.dims.length, axis)))]);
};

const unsqueeze: Maker = (g, x) => {
  if (x.dims.length > 5) throw new Unfit();
  const count = 1 + g.choices.below(2);
  const rank = x.dims.length + count;
  const axes = g.choices.shuffled(Array.from({ length: rank }, (_, i) => i)).slice(0, count);
  g.op('Unsqueeze', [x, g.integers(axes.map((axis) => axisOf(g, rank, axis)))]);
};

const flatten: Maker = (g, x) => void g.op('Flatten', [x], { axis: g.choices.below(x.dims.length + 1) });

export const concat: Maker = (g, x) => {
  const axis = someAxis(g, x);
  const fits = (other: KnownTensor) =>
    other.type === x.type &&
    other.dims.length === x.dims.length &&
    other.values.every((v, set) => v.dims.every((d, i) => i === axis || d === x.values[set]?.dims[i]));
  const others = g.tensors.filter(fits);
  const more = Array.from({ length: g.choices.below(3) }, () => {
    const dims = x.dims.map((d, i) => (i === axis ? 1 + g.choices.below(3) : d));
    return g.choices.chance(0.7) || !dims.every(isFixed) ? g.choices.pick(others) : g.floats(dims, x.type);
  });
  g.op('Concat', g.choices.shuffled([x, ...more]), { axis: axisOf(g, x.dims.length, axis) });
};

const split: Maker = (g, x) => {
  const axis = someAxis(g, x);
  const size = x.dims[axis];
  if (!isFixed(size) || size < 2) throw new Unfit();
  const attributes = { axis: axisOf(g, x.dims.length, axis) };
  const first = 1 + g.choices.below(size - 1);
  if (g.choices.chance(0.5)) g.node('Split', [x, g.integers([first, size - first])], attributes, { outputs: 2 });
  else g.node('Split', [x], g.opset >= 18 ? { ...attributes, num_outputs: 2 } : attributes, { outputs: 2 });
};

const slice: Maker = (g, x) => {
  const { below, chance, pick, shuffled } = g.choices;
  const axes = shuffled(x.dims.map((_, i) => i)).slice(0, 1 + below(2));
  if (axes.length === 0) throw new Unfit();
  const steps = axes.map(() => pick([1, 1, 1, 2, -1, -2]));
  const starts = steps.map((step) => (step > 0 ? pick([0, 0, 1, -2]) : pick([-1, 2 ** 31 - 1, 3])));
  const ends = steps.map((step) => (step > 0 ? pick([2, 5, -1, 2 ** 31 - 1]) : pick([-(2 ** 31), 0])));
  const named = axes.map((axis) => axisOf(g, x.dims.length, axis));
  const isPlain = steps.every((step) => step === 1) && chance(0.5);
  g.op('Slice', [x, g.integers(starts), g.integers(ends), g.integers(named), ...(isPlain ? [] : [g.integers(steps)])]);
};

export const pad: Maker = (g, x) => {
  const { below, chance, pick } = g.choices;
  const mode = pick(['constant', 'constant', 'edge', 'reflect', ...(g.opset >= 19 ? ['wrap'] : [])]);
  const least = mode === 'constant' && chance(0.2) ? -1 : 0;
  const pads = x.dims.flatMap(() => [0, 0]).map(() => (chance(0.5) ? 0 : least + below(3)));
  const value = mode === 'constant' && chance(0.5) ? [scalarLike(g, x, 2)] : [];
  g.op('Pad', [x, g.integers(pads), ...value], { mode });
};

const expand: Maker = (g, x) => {
  const { pick, chance } = g.choices;
  const shape = x.dims.map((d) => (d === 1 ? pick([1, 2, 3]) : chance(0.5) && isFixed(d) ? d : 1));
  g.op('Expand', [x, g.integers(chance(0.3) ? [2, ...shape] : shape)]);
};

const tile: Maker = (g, x) => void g.op('Tile', [x, g.integers(x.dims.map(() => g.choices.pick([1, 1, 2, 3])))]);

const trilu: Maker = (g, x) => {
  if (x.dims.length < 2) throw new Unfit();
  const { chance, pick } = g.choices;
  g.op('Trilu', chance(0.5) ? [x] : [x, g.integers([pick([-1, 0, 1, 2])], [])], { upper: Number(chance(0.5)) });
};

/** [N, H, W, C] in windows of 2×2, and back. */
const windows: Maker = (g, x) => {
  if (x.dims.length !== 4 || !x.dims.every(isFixed)) throw new Unfit();
  const [n, h, w, c] = x.dims as [number, number, number, number];
  if (h % 2 || w % 2 || n * h * w * c === 0) throw new Unfit();
  const parts = g.op('Reshape', [x, g.integers([n, h / 2, 2, w / 2, 2, c])]);
  const perm = ints(g.choices.chance(0.8) ? [0, 1, 3, 2, 4, 5] : [0, 3, 1, 2, 4, 5]);
  const grouped = g.op('Reshape', [g.op('Transpose', [parts], { perm }), g.integers([-1, 4, c])]);
  const worked = g.op(g.choices.pick(['Softmax', 'Relu', 'Identity']), [grouped]);
  const apart = g.op('Reshape', [worked, g.integers([n, h / 2, w / 2, 2, 2, c])]);
  g.op('Reshape', [g.op('Transpose', [apart], { perm }), g.integers([n, h, w, c])]);
};

export const MOVEMENT: Makers = [
  [8, transpose],
  [7, reshape],
  [2, squeeze],
  [3, unsqueeze],
  [2, flatten],
  [4, concat],
  [4, split],
  [5, slice],
  [3, pad],
  [2, expand],
  [1, tile],
  [1, trilu],
  [2, windows],
];
