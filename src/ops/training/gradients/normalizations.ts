import { floatAttribute, intAttribute, intsAttribute } from '../../../graph/attributes.js';
import type { Value } from '../../../graph/graph.js';
import type { Decomposition } from '../../../schema/definition.js';
import { tensorOf } from '../../../tensor/numbers.js';
import { arithmeticOn, castTo, emitOne, listOf, reshapeTo } from '../../emit.js';
import {
  arithmetic,
  type Backward,
  type BackwardRules,
  filledLike,
  rankOf,
  reducedTo,
  type Spellings,
  upstreamOf,
} from './backward.js';

interface Normalized {
  readonly x: Value;
  /** 1 ÷ the standard deviation. */
  readonly inverse: Value;
  readonly dx: Value;
}

/** x normalized over `axes`, and the gradient of x; `g` is the gradient of the normalized x. */
function normalized(c: Backward, axes: readonly number[], g: Value, isCentered: boolean): Normalized {
  const f = arithmetic(c);
  const mean = (value: Value) => emitOne(c, 'ReduceMean', [value, listOf(c, axes)], { keepdims: intAttribute(1) });
  const centered = isCentered ? f('Sub', c.input(0), mean(c.input(0))) : c.input(0);
  const variance = f('Add', mean(f('Mul', centered, centered)), c.attributes.epsilon as number);
  const inverse = f('Reciprocal', f('Sqrt', variance));
  const x = f('Mul', centered, inverse);
  const along = f('Mul', x, mean(f('Mul', g, x)));
  const moved = f('Sub', isCentered ? f('Sub', g, mean(g)) : g, along);
  return { x, inverse, dx: f('Mul', inverse, moved) };
}

/** Contributions of the gradients of the mean, output 1, and of the inverse deviation, the last output, to the gradient of x. */
function byStatistics(c: Backward, { x, inverse }: Normalized, axes: readonly number[], isCentered: boolean): Value[] {
  const f = arithmetic(c);
  const spread = (value: Value) => castTo(c, value, c.element(0));
  const ones = emitOne(c, 'ReduceSum', [filledLike(c, c.input(0), 1), listOf(c, axes)]);
  const [mean, deviation] = [isCentered ? c.upstream(1) : null, c.upstream(isCentered ? 2 : 1)];
  const shares = (value: Value, by: Value) => f('Mul', f('Div', spread(value), ones), by);
  return [
    ...(mean ? [shares(mean, filledLike(c, c.input(0), 1))] : []),
    ...(deviation ? [f('Neg', shares(deviation, f('Mul', x, f('Mul', inverse, inverse))))] : []),
  ];
}

/** LayerNormalization, or RMSNormalization if not centered. */
const layer = (isCentered: boolean) => (c: Backward) => {
  const f = arithmetic(c);
  const rank = rankOf(c, 0);
  const first = ((c.attributes.axis as number) + rank) % rank;
  const axes = Array.from({ length: rank - first }, (_, i) => first + i);
  const g = upstreamOf(c);
  const normal = normalized(c, axes, f('Mul', g, c.input(1)), isCentered);
  const { x } = normal;
  const dx = f('Sum', normal.dx, ...byStatistics(c, normal, axes, isCentered));
  return [dx, reducedTo(c, f('Mul', g, x), 1), c.given(2) ? reducedTo(c, g, 2) : null];
};

function instance(c: Backward): Value[] {
  const f = arithmetic(c);
  const rank = rankOf(c, 0);
  const axes = Array.from({ length: rank - 2 }, (_, i) => i + 2);
  const g = upstreamOf(c);
  const scale = reshapeTo(c, c.input(1), [-1, ...axes.map(() => 1)]);
  const { x, dx } = normalized(c, axes, f('Mul', g, scale), true);
  const perChannel = (value: Value) =>
    emitOne(c, 'ReduceSum', [value, listOf(c, [0, ...axes])], { keepdims: intAttribute(0) });
  return [dx, perChannel(f('Mul', g, x)), perChannel(g)];
}

/** x normalized over groups of channels, then scaled and shifted per channel, or per group in the first version. */
function groups(c: Decomposition<{ readonly num_groups: number; readonly epsilon: number }>): Value[] | undefined {
  const dims = c.dims(0);
  const [channels, count] = [dims?.[1], c.dims(1)?.[0]];
  if (!dims || typeof channels !== 'number' || typeof count !== 'number') return undefined;
  const { num_groups, epsilon } = c.attributes;
  const f = arithmeticOn(c, c.element(0));
  const each = (value: number) =>
    c.constant(tensorOf(c.element(0), [num_groups], Array<number>(num_groups).fill(value)));
  const grouped = reshapeTo(c, c.input(0), [0, num_groups, -1]);
  const rows = emitOne(c, 'InstanceNormalization', [grouped, each(1), each(0)], { epsilon: floatAttribute(epsilon) });
  const normal = emitOne(c, 'Reshape', [rows, emitOne(c, 'Shape', [c.input(0)])]);
  const perChannel = (i: number) => {
    const spread = emitOne(c, 'Expand', [reshapeTo(c, c.input(i), [count, 1]), listOf(c, [count, channels / count])]);
    return reshapeTo(c, spread, [channels, ...dims.slice(2).map(() => 1)]);
  };
  return [f('Add', f('Mul', normal, perChannel(1)), perChannel(2))];
}

function lp(c: Decomposition<{ readonly axis: number; readonly p: number }>): Value[] {
  const f = arithmeticOn(c, c.element(0));
  const norm = emitOne(c, `ReduceL${c.attributes.p}`, [c.input(0), listOf(c, [c.attributes.axis])]);
  return [f('Div', c.input(0), f('Where', f('Equal', norm, 0), 1, norm))];
}

/** Adds 1e-9 to the deviation, as the definition does. */
function meanVariance(c: Decomposition<{ readonly axes: readonly number[] }>): Value[] {
  const f = arithmeticOn(c, c.element(0));
  const mean = (value: Value) => emitOne(c, 'ReduceMean', [value, listOf(c, c.attributes.axes)]);
  const centered = f('Sub', c.input(0), mean(c.input(0)));
  return [f('Div', centered, f('Add', f('Sqrt', mean(f('Mul', centered, centered))), 1e-9))];
}

interface LrnAttributes {
  readonly alpha: number;
  readonly beta: number;
  readonly bias: number;
  readonly size: number;
}

/** x ÷ (bias + alpha · the mean square of the `size` surrounding channels)^beta; channels become rows of a plane. */
function localResponse(c: Decomposition<LrnAttributes>): Value[] {
  const { alpha, beta, bias, size } = c.attributes;
  const f = arithmeticOn(c, c.element(0));
  const x = c.input(0);
  const rows = emitOne(c, 'Unsqueeze', [reshapeTo(c, f('Mul', x, x), [0, 0, -1]), listOf(c, [1])]);
  const means = emitOne(c, 'AveragePool', [rows], {
    kernel_shape: intsAttribute([size, 1]),
    pads: intsAttribute([Math.floor((size - 1) / 2), 0, Math.ceil((size - 1) / 2), 0]),
    count_include_pad: intAttribute(1),
  });
  const around = emitOne(c, 'Reshape', [means, emitOne(c, 'Shape', [x])]);
  return [f('Div', x, f('Pow', f('Add', f('Mul', around, alpha), bias), beta))];
}

export const normalizationSpellings: Spellings = {
  GroupNormalization: groups,
  LRN: localResponse,
  LpNormalization: lp,
  MeanVarianceNormalization: meanVariance,
};

export const normalizations: BackwardRules = {
  InstanceNormalization: instance,
  LayerNormalization: layer(true),
  RMSNormalization: layer(false),
  SimplifiedLayerNormalization: layer(false),
};
