import { add, ceilDivide, derived, isKnown, maximum, minimum, type Size, subtract } from '../../../graph/sizes.js';
import { type Cut, slice as primitive } from '../../../primitives/slice.js';
import { ints } from '../../../schema/attributes.js';
import { by, defineOp, type Inference } from '../../../schema/definition.js';
import { ANY, INDICES } from '../../../schema/element-sets.js';
import { axesOf, like } from '../../../schema/shapes.js';

/** The node's request, before the lengths of the axes are known. */
interface Request {
  readonly axes: readonly number[] | undefined;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  readonly steps: readonly number[] | undefined;
}

/** Attributes of opset 1; from opset 10 on, they are inputs. */
interface SliceAttributes {
  readonly axes?: readonly number[] | undefined;
  readonly starts?: readonly number[];
  readonly ends?: readonly number[];
}

const clamp = (x: number, low: number, high: number) => Math.min(Math.max(x, low), high);

/** https://onnx.ai/onnx/operators/onnx__Slice.html: negative positions count from the end, then all are clamped. */
function cut(length: number, start: number, end: number, step: number): Cut {
  const [from, to] = [start, end].map((x) => (x < 0 ? x + length : x)) as [number, number];
  const [low, high] = step > 0 ? [0, length] : [-1, length - 1];
  const first = clamp(from, 0, high);
  const last = clamp(to, low, high);
  return { start: first, step, length: Math.max(0, Math.ceil((last - first) / step)) };
}

/** Start, end and step by axis; axes that are not named are kept whole. */
function requestsByAxis(c: Inference<unknown>, request: Request, rank: number): Map<number, [number, number, number]> {
  const { axes, starts, ends, steps } = request;
  const named = axesOf(c, axes ?? starts.map((_, i) => i), rank);
  if (starts.length !== ends.length || named.length !== starts.length)
    c.fail('INVALID_VALUE', `${starts.length} starts, ${ends.length} ends and ${named.length} axes do not match`);
  if (steps?.includes(0)) c.fail('INVALID_VALUE', 'a step must not be 0');
  return new Map(named.map((axis, i) => [axis, [starts[i] as number, ends[i] as number, steps?.[i] ?? 1]]));
}

const known = (c: Inference<unknown>, i: number): readonly number[] | undefined => {
  const sizes = c.sizes(i);
  return sizes?.every((d) => typeof d === 'number') ? (sizes as number[]) : undefined;
};

function requestOf(c: Inference<SliceAttributes>): Request | undefined {
  const { axes: own, starts: from, ends: to } = c.attributes;
  if (from && to) return { axes: own, starts: from, ends: to, steps: undefined };
  const [starts, ends, axes, steps] = [1, 2, 3, 4].map((i) => (c.given(i) ? known(c, i) : undefined));
  const open = !starts || !ends || (c.given(3) && !axes) || (c.given(4) && !steps);
  return open ? undefined : { starts, ends, axes, steps };
}

function slicedDims(c: Inference<SliceAttributes>): Size[] | undefined {
  const request = requestOf(c);
  const dims = c.dims(0);
  if (!dims || !request) return dims?.map(() => c.unknown());
  const byAxis = requestsByAxis(c, request, dims.length);
  return dims.map((dim, axis) => {
    const wanted = byAxis.get(axis);
    if (!wanted) return dim;
    return typeof dim === 'number' ? cut(dim, ...wanted).length : openLength(dim, ...wanted);
  });
}

/** Length of a slice of an axis of symbolic length, by the rules of `cut`. */
function openLength(dim: Size, start: number, end: number, step: number): Size {
  if (step < 0) return derived(`slice${start}:${end}:${step}`, [dim], (length) => cut(length, start, end, step).length);
  const isToEnd = end >= 2 ** 31 - 1;
  if (isToEnd && start < 0) return ceilDivide(minimum(dim, -start), step);
  const from = start < 0 ? maximum(add(dim, start), 0) : start;
  const to = isToEnd ? dim : end < 0 ? add(dim, end) : minimum(dim, end);
  return maximum(ceilDivide(subtract(to, from), step), 0);
}

/** The cut of each axis, for known sizes. */
function cutsOf(c: Inference<SliceAttributes>, dims: readonly number[]): Cut[] {
  const byAxis = requestsByAxis(c, requestOf(c) as Request, dims.length);
  return dims.map((length, axis) => cut(length, ...(byAxis.get(axis) ?? [0, length, 1])));
}

const rules = {
  infer: (c: Inference<SliceAttributes>) => [like(c, 0, slicedDims(c))],
  sizes(c: Inference<SliceAttributes>): readonly Size[] | undefined {
    const sizes = c.sizes(0);
    if (!sizes || !requestOf(c) || c.dims(0)?.length !== 1) return undefined;
    const { start, step, length } = cutsOf(c, [sizes.length])[0] as Cut;
    return Array.from({ length }, (_, i) => sizes[start + i * step] as Size);
  },
  computes: by(primitive, (c: Inference<SliceAttributes>) => {
    const dims = c.dims(0);
    return isKnown(dims) && requestOf(c) ? cutsOf(c, dims) : undefined;
  }),
};

export const slice = [
  defineOp({
    name: 'Slice',
    since: 10,
    signature: 'data: T, starts: Tind, ends: Tind, axes?: Tind, steps?: Tind -> output: T',
    types: { T: ANY, Tind: INDICES },
    planned: [1, 2, 3, 4],
    ...rules,
  }),
  defineOp({
    name: 'Slice',
    signature: 'data: T -> output: T',
    types: { T: ANY },
    attributes: { axes: ints(), starts: ints.required, ends: ints.required },
    ...rules,
  }),
];
