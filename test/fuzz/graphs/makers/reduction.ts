import { float, ints } from '../../../../src/builder/index.js';
import { type KnownTensor, Unfit } from '../draft.js';
import { axisOf, givenOr, isFixed, isReal, type Maker, type Makers } from './maker.js';

const SIMPLE = ['ReduceSum', 'ReduceMean', 'ReduceMax', 'ReduceMin', 'ReduceProd', 'ReduceLogSum'];
/** What is done to each element, or to the sum, comes only once where axes are reduced in several steps. */
const COMPOSED = ['ReduceL1', 'ReduceL2', 'ReduceSumSquare', 'ReduceLogSumExp'];

/** Whether no product of some of the numbers overflows: what is left of it may be anything, in any order. */
const multiplies = (x: KnownTensor): boolean =>
  x.values.every(({ data }) => {
    const exponents = (data as readonly number[]).map((number) => Math.log2(Math.abs(Number(number))));
    return exponents.reduce((sum, exponent) => sum + Math.max(exponent, 0), 0) < (x.type === 'float16' ? 14 : 100);
  });

export const reduce: Maker = (g, x) => {
  const { chance, pick, shuffled, below } = g.choices;
  const op = pick(chance(0.5) ? SIMPLE : COMPOSED);
  if (op === 'ReduceProd' && isReal(x) && !multiplies(x)) throw new Unfit();
  const rank = x.dims.length;
  const count = chance(0.7) ? Math.min(pick([1, 1, 2]), rank) : below(rank + 1);
  const axes = shuffled(x.dims.map((_, i) => i))
    .slice(0, count)
    .map((axis) => axisOf(g, rank, axis));
  const asInput = op === 'ReduceSum' || g.opset >= 18;
  const given = chance(0.9);
  const keepdims = chance(0.3) ? {} : { keepdims: Number(chance(0.3)) };
  const noop = asInput && g.opset >= 13 && chance(0.1) ? { noop_with_empty_axes: 1 } : {};
  if (asInput) g.op(op, given ? [x, g.integers(axes)] : [x], { ...keepdims, ...noop });
  else g.op(op, [x], { ...keepdims, ...(given && axes.length > 0 && { axes: ints(axes) }) });
};

export const softmax: Maker = (g, x) => {
  if (x.dims.length === 0) throw new Unfit();
  const { below, chance, pick } = g.choices;
  const axis = chance(0.5) ? {} : { axis: axisOf(g, x.dims.length, below(x.dims.length)) };
  g.op(pick(['Softmax', 'Softmax', 'LogSoftmax', 'Hardmax']), [x], axis);
};

const arg: Maker = (g, next) => {
  const { below, chance, pick } = g.choices;
  const x = givenOr(g, next);
  g.op(pick(['ArgMax', 'ArgMin']), [x], {
    axis: axisOf(g, x.dims.length, below(x.dims.length)),
    keepdims: below(2),
    ...(chance(0.3) && { select_last_index: 1 }),
  });
};

const topK: Maker = (g, next) => {
  const { below, chance } = g.choices;
  const x = givenOr(g, next);
  const axis = below(x.dims.length);
  const size = x.dims[axis];
  if (!isFixed(size) || size === 0) throw new Unfit();
  g.node(
    'TopK',
    [x, g.integers([1 + below(size)])],
    { axis: axisOf(g, x.dims.length, axis), largest: Number(chance(0.6)) },
    { outputs: 2 },
  );
};

const cumSum: Maker = (g, x) => {
  const { below, chance } = g.choices;
  const axis = g.integers([axisOf(g, x.dims.length, below(x.dims.length))], []);
  g.op('CumSum', [x, axis], { ...(chance(0.3) && { exclusive: 1 }), ...(chance(0.3) && { reverse: 1 }) });
};

const layerNormalization: Maker = (g, x) => {
  const { below, chance } = g.choices;
  if (!isReal(x)) throw new Unfit();
  const axis = below(x.dims.length);
  const dims = x.dims.slice(axis);
  if (!dims.every(isFixed)) throw new Unfit();
  const bias = chance(0.7) ? g.floats(dims, x.type) : null;
  const epsilon = chance(0.5) ? { epsilon: float(0.01) } : {};
  const attributes = { axis: axisOf(g, x.dims.length, axis), ...epsilon };
  if (g.opset >= 23 && chance(0.3)) g.op('RMSNormalization', [x, g.floats(dims, x.type)], attributes);
  else g.op('LayerNormalization', [x, g.floats(dims, x.type), bias], attributes);
};

const lpNormalization: Maker = (g, x) =>
  void g.op('LpNormalization', [x], { axis: g.choices.below(x.dims.length), p: g.choices.pick([1, 2]) });

const meanVariance: Maker = (g, x) => {
  if (x.dims.length === 0) throw new Unfit();
  const axes = g.choices.shuffled(x.dims.map((_, i) => i)).slice(0, 1 + g.choices.below(2));
  g.op('MeanVarianceNormalization', [x], { axes: ints(axes) });
};

export const REDUCTION: Makers = [
  [9, reduce],
  [5, softmax],
  [1.5, arg],
  [2.5, topK],
  [1.5, cumSum],
  [3, layerNormalization],
  [0.7, lpNormalization],
  [0.5, meanVariance],
];
