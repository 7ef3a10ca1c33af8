import { intAttribute } from '../../../graph/attributes.js';
import type { Value } from '../../../graph/graph.js';
import { integers } from '../../../tensor/tensor-value.js';
import { castTo, emitOne, listOf } from '../../emit.js';
import {
  arithmetic,
  type Backward,
  type BackwardRule,
  type BackwardRules,
  productOfOthers,
  rankOf,
  shapeOf,
  upstreamOf,
} from './backward.js';

/** The reduced axes; none means all. */
function axesOf(c: Backward): readonly number[] {
  if (!c.given(1)) return (c.attributes.axes as readonly number[] | undefined) ?? [];
  const axes = c.contents(1);
  return axes ? integers(axes) : c.fail('INVALID_VALUE', 'the axes must be known for the derivative');
}

interface Reduced {
  readonly f: ReturnType<typeof arithmetic>;
  readonly x: Value;
  /** Result and its gradient, with reduced axes as axes of size 1. */
  readonly y: Value;
  readonly g: Value;
  /** Sums `value` over the reduced axes and keeps them. */
  sum(value: Value): Value;
  /** A result of the node, with reduced axes as axes of size 1. */
  kept(value: Value): Value;
}

const reduction =
  (derivative: (r: Reduced) => Value): BackwardRule =>
  (c) => {
    const axes = axesOf(c);
    const isIdle = axes.length === 0 && Boolean(c.attributes.noop_with_empty_axes);
    const keptAxes = c.attributes.keepdims !== 0 || axes.length === 0;
    const kept = (value: Value) => (keptAxes ? value : emitOne(c, 'Unsqueeze', [value, listOf(c, axes)]));
    const given = axes.length > 0 ? listOf(c, axes) : null;
    const sum = (value: Value) =>
      isIdle ? value : emitOne(c, 'ReduceSum', [value, given], { keepdims: intAttribute(1) });
    const reduced = { f: arithmetic(c), x: c.input(0), y: kept(c.output(0)), g: kept(upstreamOf(c)), sum, kept };
    const result = derivative(reduced);
    return [emitOne(c, 'Expand', [result, shapeOf(c, c.input(0))]), null];
  };

/** Extremes along the reduced axes share g equally. */
const extreme = reduction(({ f, x, y, g, sum }) => {
  const chosen = f('Where', f('Equal', x, y), 1, 0);
  return f('Div', f('Mul', chosen, g), sum(chosen));
});

/** Sums along one axis or, before opset 13, over all axes from `axis` on. */
function softmaxSum(c: Backward, value: Value): Value {
  const rank = rankOf(c, 0);
  const axis = c.attributes.axis as number;
  const first = axis < 0 ? axis + rank : axis;
  const axes = c.since >= 13 ? [first] : Array.from({ length: rank - first }, (_, i) => first + i);
  return emitOne(c, 'ReduceSum', [value, listOf(c, axes)]);
}

/** Cumulative sum in the direction of the node, or in the opposite one. */
function runningSum(c: Backward, value: Value, isOpposed: boolean): Value {
  const { exclusive, reverse } = c.attributes as Record<'exclusive' | 'reverse', number>;
  const attributes = { exclusive: intAttribute(exclusive), reverse: intAttribute(Number(isOpposed) ^ reverse) };
  return emitOne(c, 'CumSum', [value, c.input(1)], attributes);
}

/** Treats elements that are 0 separately from others: they only matter if they are the only 0 of a product. */
function cumulativeProduct(c: Backward): (Value | null)[] {
  const f = arithmetic(c);
  const x = c.input(0);
  const isZero = f('Equal', x, 0);
  const rest = f('Where', isZero, 1, x);
  const zeros = runningSum(c, f('Where', isZero, 1, 0), false);
  const shares = f('Mul', upstreamOf(c), c.repeat([rest, c.input(1)]));
  const withZeros = (count: number) => runningSum(c, f('Where', f('Equal', zeros, count), shares, 0), true);
  return [f('Where', isZero, withZeros(1), f('Div', withZeros(0), rest)), null];
}

const counted = (c: Backward, value: Value) => castTo(c, emitOne(c, 'Size', [value]), c.element(0));

/** Gradients of reductions and of cumulative operators. */
export const reductions: BackwardRules = {
  CumProd: cumulativeProduct,
  CumSum: (c) => [runningSum(c, upstreamOf(c), true), null],
  LogSoftmax(c) {
    const f = arithmetic(c);
    const g = upstreamOf(c);
    return [f('Sub', g, f('Mul', f('Exp', c.output(0)), softmaxSum(c, g)))];
  },
  ReduceL1: reduction(({ f, x, g }) => f('Mul', g, f('Sign', x))),
  ReduceL2: reduction(({ f, x, y, g }) => f('Where', f('Equal', y, 0), 0, f('Mul', g, f('Div', x, y)))),
  ReduceLogSum: reduction(({ f, y, g }) => f('Div', g, f('Exp', y))),
  ReduceLogSumExp: reduction(({ f, x, y, g }) => f('Mul', g, f('Exp', f('Sub', x, y)))),
  ReduceMax: extreme,
  ReduceMean(c) {
    const f = arithmetic(c);
    const share = f('Div', counted(c, c.output(0)), counted(c, c.input(0)));
    return reduction(({ g }) => f('Mul', g, share))(c);
  },
  ReduceMin: extreme,
  ReduceProd(c) {
    const f = arithmetic(c);
    const rest = f('Where', f('Equal', c.input(0), 0), 1, c.input(0));
    const product = c.repeat([rest, ...c.node.inputs.slice(1)]);
    return reduction(({ x, g, sum, kept }) => {
      const zeros = sum(f('Where', f('Equal', x, 0), 1, 0));
      return f('Mul', g, productOfOthers(c, x, kept(product), zeros));
    })(c);
  },
  ReduceSum: reduction(({ g }) => g),
  ReduceSumSquare: reduction(({ f, x, g }) => f('Mul', f('Mul', x, 2), g)),
  Softmax(c) {
    const f = arithmetic(c);
    const [y, g] = [c.output(0), upstreamOf(c)];
    return [f('Mul', y, f('Sub', g, softmaxSum(c, f('Mul', g, y))))];
  },
};
