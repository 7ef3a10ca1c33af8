import { intAttribute } from '../../../graph/attributes.js';
import { maximum, minimum, product, type Size } from '../../../graph/sizes.js';
import { type ReduceParameters, reduce } from '../../../primitives/reduce.js';
import type { Kind } from '../../../primitives/reduce-on-host.js';
import { int, ints } from '../../../schema/attributes.js';
import { by, defineOp, type Inference, type Restatement } from '../../../schema/definition.js';
import { BOOL, NUMBERS } from '../../../schema/element-sets.js';
import { axesOf, like } from '../../../schema/shapes.js';
import type { ElementType } from '../../../tensor/element-types.js';
import { int64List } from '../../../tensor/numbers.js';

interface ReduceAttributes {
  readonly axes?: readonly number[] | undefined;
  readonly keepdims: number;
  readonly noop_with_empty_axes?: number;
}

/**
 * Axes of the node, from the attribute or the input; empty if omitted, undefined if unknown. An input must not have more axes than the
 * tensor.
 */
function axesOfNode(c: Inference<ReduceAttributes>): readonly number[] | undefined {
  if (c.attributes.axes) return c.attributes.axes;
  if (!c.given(1)) return [];
  const [count, rank] = [c.dims(1)?.[0] ?? 1, c.dims(0)?.length ?? Number.POSITIVE_INFINITY];
  if (typeof count === 'number' && count > rank)
    c.fail('INVALID_SHAPE', `has ${count} axes for a tensor of rank ${rank}`);
  return c.sizes(1) as number[] | undefined;
}

/** Flags the axes to reduce; no axes means all, or none with `noop_with_empty_axes`. */
function foldedAxes(c: Inference<ReduceAttributes>, rank: number): boolean[] {
  const axes = axesOfNode(c) as readonly number[];
  const none = axes.length === 0;
  const all = none && !c.attributes.noop_with_empty_axes;
  const named = new Set(axesOf(c, axes, rank));
  return Array.from({ length: rank }, (_, axis) => all || named.has(axis));
}

function reducedDims(c: Inference<ReduceAttributes>): Size[] | undefined {
  const dims = c.dims(0);
  const { keepdims } = c.attributes;
  if (!dims) return undefined;
  if (!axesOfNode(c)) return keepdims ? dims.map(() => c.unknown()) : undefined;
  const folded = foldedAxes(c, dims.length);
  return keepdims ? dims.map((dim, i) => (folded[i] ? 1 : dim)) : dims.filter((_, i) => !folded[i]);
}

/** Restates the node for other parameters; it does not change without named axes, which reduces all. */
function restate(c: Inference<ReduceAttributes>, { folded }: ReduceParameters): Restatement | undefined {
  if (!axesOfNode(c)?.length) return undefined;
  const axes = folded.flatMap((isFolded, axis) => (isFolded ? [axis] : []));
  return { attributes: { keepdims: intAttribute(c.attributes.keepdims) }, contents: { 1: int64List(axes) } };
}

/** Folds lists of sizes. */
const SIZES: Partial<Record<Kind, (sizes: readonly Size[]) => Size | undefined>> = {
  Prod: product,
  Max: (sizes) => (sizes.length > 0 ? sizes.reduce(maximum) : undefined),
  Min: (sizes) => (sizes.length > 0 ? sizes.reduce(minimum) : undefined),
};

function sizesOf(c: Inference<ReduceAttributes>, kind: Kind): readonly Size[] | undefined {
  const sizes = c.dims(0)?.length === 1 ? c.sizes(0) : undefined;
  const rule = SIZES[kind];
  if (!rule || !sizes || !axesOfNode(c)) return undefined;
  if (!foldedAxes(c, 1)[0]) return sizes;
  const result = rule(sizes);
  return result === undefined ? undefined : [result];
}

/** Defines a reduction with its axes as input and as attribute; `asInput` is the opset version that made them an input. */
const reduction = (kind: Kind, asInput: number, types: readonly ElementType[] = NUMBERS) => {
  const name = `Reduce${kind}`;
  const rules = {
    guarded: true,
    infer: (c: Inference<ReduceAttributes>) => [like(c, 0, reducedDims(c))],
    sizes: (c: Inference<ReduceAttributes>) => sizesOf(c, kind),
    computes: by(
      reduce,
      (c: Inference<ReduceAttributes>) => {
        const rank = c.dims(0)?.length;
        if (rank === undefined || !axesOfNode(c)) return undefined;
        return { kind, folded: foldedAxes(c, rank), keepsAxes: c.attributes.keepdims !== 0 };
      },
      restate,
    ),
  };
  return [
    defineOp({
      name,
      since: asInput,
      signature: 'data: T, axes?: int64 -> reduced: T',
      types: { T: types },
      attributes: { keepdims: int(1), noop_with_empty_axes: int(0) },
      planned: [1],
      ...rules,
    }),
    defineOp({
      name,
      signature: 'data: T -> reduced: T',
      types: { T: types },
      attributes: { axes: ints(), keepdims: int(1) },
      ...rules,
    }),
  ];
};

/** https://onnx.ai/onnx/operators/onnx__ReduceSum.html and its siblings. */
export const reduceSum = reduction('Sum', 13);
export const reduceMean = reduction('Mean', 18);
export const reduceMax = reduction('Max', 18, [...NUMBERS, ...BOOL]);
export const reduceMin = reduction('Min', 18, [...NUMBERS, ...BOOL]);
export const reduceProd = reduction('Prod', 18);
export const reduceSumSquare = reduction('SumSquare', 18);
export const reduceL1 = reduction('L1', 18);
export const reduceL2 = reduction('L2', 18);
export const reduceLogSum = reduction('LogSum', 18);
export const reduceLogSumExp = reduction('LogSumExp', 18);
