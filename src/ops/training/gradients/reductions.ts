import type { Value } from '../../../graph/graph.js';
import { integers } from '../../../tensor/tensor-value.js';
import { intAttribute } from '../../constants.js';
import { castTo, emitOne, listOf } from '../../emit.js';
import {
  arithmetic,
  type Backward,
  type BackwardRule,
  type BackwardRules,
  rankOf,
  shapeOf,
  upstreamOf,
} from './backward.js';

/** The axes that are folded; none: all of them. */
function axesOf(c: Backward): readonly number[] {
  if (!c.given(1)) return (c.attributes.axes as readonly number[] | undefined) ?? [];
  const axes = c.contents(1);
  return axes ? integers(axes) : c.fail('INVALID_VALUE', 'the axes must be known for the derivative');
}

interface Reduced {
  readonly f: ReturnType<typeof arithmetic>;
  readonly x: Value;
  /** Result and derivative by it with the folded axes as axes of size 1. */
  readonly y: Value;
  readonly g: Value;
  /** The sum of `value` over the folded axes, these kept. */
  sum(value: Value): Value;
}

const reduction =
  (derivative: (r: Reduced) => Value): BackwardRule =>
  (c) => {
    const axes = axesOf(c);
    if (axes.length === 0 && c.attributes.noop_with_empty_axes) return undoneElementwise(c);
    const keptAxes = c.attributes.keepdims !== 0 || axes.length === 0;
    const kept = (value: Value) => (keptAxes ? value : emitOne(c, 'Unsqueeze', [value, listOf(c, axes)]));
    const sum = (value: Value) =>
      emitOne(c, 'ReduceSum', [value, axes.length > 0 ? listOf(c, axes) : null], { keepdims: intAttribute(1) });
    const reduced = { f: arithmetic(c), x: c.input(0), y: kept(c.output(0)), g: kept(upstreamOf(c)), sum };
    const result = derivative(reduced);
    return [emitOne(c, 'Expand', [result, shapeOf(c, c.input(0))]), null];
  };

const undoneElementwise = (c: Backward) =>
  c.node.op === 'ReduceSum' ? [upstreamOf(c), null] : c.fail('UNSUPPORTED_OPERATOR', 'has no derivative without axes');

/** The extremes along the folded axes share g equally. */
const extreme = reduction(({ f, x, y, g, sum }) => {
  const chosen = f('Where', f('Equal', x, y), 1, 0);
  return f('Div', f('Mul', chosen, g), sum(chosen));
});

/** From opset 13 along one axis; before, over all axes from `axis` on as one. */
function softmaxSum(c: Backward, value: Value): Value {
  const rank = rankOf(c, 0);
  const axis = c.attributes.axis as number;
  const first = axis < 0 ? axis + rank : axis;
  const axes = c.since >= 13 ? [first] : Array.from({ length: rank - first }, (_, i) => first + i);
  return emitOne(c, 'ReduceSum', [value, listOf(c, axes)]);
}

const counted = (c: Backward, value: Value) => castTo(c, emitOne(c, 'Size', [value]), c.element(0));

/** Derivatives of what folds axes or sums along them. */
export const reductions: BackwardRules = {
  CumSum(c) {
    const { exclusive, reverse } = c.attributes as Record<'exclusive' | 'reverse', number>;
    const attributes = { exclusive: intAttribute(exclusive), reverse: intAttribute(1 - reverse) };
    return [emitOne(c, 'CumSum', [upstreamOf(c), c.input(1)], attributes), null];
  },
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
  ReduceProd: reduction(({ f, x, y, g }) => f('Mul', g, f('Div', y, x))),
  ReduceSum: reduction(({ g }) => g),
  ReduceSumSquare: reduction(({ f, x, g }) => f('Mul', f('Mul', x, 2), g)),
  Softmax(c) {
    const f = arithmetic(c);
    const [y, g] = [c.output(0), upstreamOf(c)];
    return [f('Mul', y, f('Sub', g, softmaxSum(c, f('Mul', g, y))))];
  },
};
