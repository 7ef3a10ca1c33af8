import { elementCount } from '../../../../src/tensor/tensor-value.js';
import { type Draft, type KnownTensor, Unfit } from '../draft.js';
import { axisOf, isFixed, type Maker, type Makers } from './maker.js';

/** Indices of an axis of `size`, some of them from its end. */
const indices = (g: Draft, size: number, dims: readonly number[]): KnownTensor => {
  const { below, chance } = g.choices;
  const values = Array.from({ length: elementCount(dims) }, () => BigInt(below(size) - (chance(0.2) ? size : 0)));
  return g.constant('int64', dims, values);
};

const fixedAxis = (g: Draft, x: KnownTensor): [axis: number, size: number] => {
  const axis = g.choices.below(x.dims.length);
  const size = x.dims[axis];
  if (!isFixed(size) || size === 0) throw new Unfit();
  return [axis, size];
};

const gather: Maker = (g, x) => {
  const [axis, size] = fixedAxis(g, x);
  const dims = g.choices.pick([[], [1], [2], [3], [2, 2], [5]]);
  g.op('Gather', [x, indices(g, size, dims)], { axis: axisOf(g, x.dims.length, axis) });
};

/** One place once by its number and once by a list of it, as where a token's row is wanted with and without its axis. */
const gatherTwice: Maker = (g, x) => {
  const [axis, size] = fixedAxis(g, x);
  const where = g.choices.below(size);
  for (const dims of g.choices.shuffled([[], [1]])) g.op('Gather', [x, g.integers([where], dims)], { axis });
};

const isEmpty = (x: KnownTensor) => x.values.some(({ dims }) => dims.includes(0));

const gatherElements: Maker = (g, x) => {
  if (isEmpty(x)) throw new Unfit();
  const [axis, size] = fixedAxis(g, x);
  const dims = x.dims.map((d, i) =>
    i === axis ? 1 + g.choices.below(4) : isFixed(d) && d > 0 ? 1 + g.choices.below(d) : 1,
  );
  g.op('GatherElements', [x, indices(g, size, dims)], { axis: axisOf(g, x.dims.length, axis) });
};

const gatherND: Maker = (g, x) => {
  const [least] = x.dims.toSorted((a, b) => a - b);
  if (!isFixed(least) || least === 0) throw new Unfit();
  const depth = 1 + g.choices.below(x.dims.length);
  g.op('GatherND', [x, indices(g, least, [...g.choices.pick([[], [2], [3, 1]]), depth])]);
};

const scatterElements: Maker = (g, x) => {
  if (isEmpty(x)) throw new Unfit();
  const [axis, size] = fixedAxis(g, x);
  const { chance, pick } = g.choices;
  const dims = x.dims.map((_d, i) => (i === axis ? Math.min(size, 2) : 1));
  const distinct = pick([
    [0, size - 1],
    [size - 1, 0],
  ]).slice(0, Math.min(size, 2));
  const where = g.constant('int64', dims, distinct.map(BigInt), false);
  const ordered = g.opset >= 18 ? ['max', 'min'] : [];
  const reductions = x.type === 'string' ? ['add'] : ['add', 'mul', ...ordered];
  const reduction = chance(0.5) ? {} : { reduction: pick(reductions) };
  g.op('ScatterElements', [x, where, g.floats(dims, x.type)], { axis: axisOf(g, x.dims.length, axis), ...reduction });
};

const scatterND: Maker = (g, x) => {
  const [first] = x.dims;
  const rest = x.dims.slice(1);
  if (!isFixed(first) || first === 0 || !rest.every(isFixed)) throw new Unfit();
  const rows = g.choices.chance(0.5) ? [first - 1] : [...new Set([0, first - 1])];
  const where = g.constant('int64', [rows.length, 1], rows.map(BigInt), false);
  g.op('ScatterND', [x, where, g.floats([rows.length, ...rest], x.type)]);
};

const oneHot: Maker = (g) => {
  const depth = 2 + g.choices.below(4);
  const where = indices(g, depth, g.choices.pick([[], [3], [2, 2]]));
  g.op('OneHot', [where, g.integers([depth], []), g.floats([2])], { axis: -1 });
};

const compress: Maker = (g, x) => {
  const [axis, size] = fixedAxis(g, x);
  const mask = g.constant('bool', [size], g.draw('bool', size));
  g.op('Compress', [x, mask], { axis: axisOf(g, x.dims.length, axis) });
};

/** Where x is positive: a size that only the data tell. */
const nonZero: Maker = (g, x) => {
  const found = g.op('NonZero', [x]);
  if (g.choices.chance(0.5)) g.op('Cast', [found], { to: 1 });
};

const unique: Maker = (g, x) => {
  const flat = g.op('Round', [x]);
  g.node('Unique', [flat], { sorted: 1 }, { outputs: 1 + g.choices.below(4) });
};

const reverseSequence: Maker = (g, x) => {
  const [batch, time] = x.dims;
  if (!isFixed(batch) || !isFixed(time) || time === 0 || x.dims.length < 2) throw new Unfit();
  const lengths = Array.from({ length: batch }, () => 1 + g.choices.below(time));
  g.op('ReverseSequence', [x, g.integers(lengths)], { batch_axis: 0, time_axis: 1 });
};

export const INDEXING: Makers = [
  [5, gather],
  [4, gatherTwice],
  [2, gatherElements],
  [2, gatherND],
  [2, scatterElements],
  [1.5, scatterND],
  [1, oneHot],
  [1, compress],
  [1, nonZero],
  [0.5, unique],
  [0.7, reverseSequence],
];
