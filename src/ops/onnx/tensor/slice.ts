import { areDecided, fixed, isAtMost } from '../../../graph/guards.js';
import { add, ceilDivide, derived, maximum, minimum, multiply, type Size, subtract } from '../../../graph/sizes.js';
import { type Cut, slice as primitive } from '../../../primitives/slice.js';
import { ints } from '../../../schema/attributes.js';
import { by, defineOp, type Inference } from '../../../schema/definition.js';
import { ANY, INDICES } from '../../../schema/element-sets.js';
import { axesOf, like } from '../../../schema/shapes.js';

/** The node's request, before the lengths of the axes are known. */
interface Request {
  readonly axes: readonly number[] | undefined;
  readonly starts: readonly Size[];
  readonly ends: readonly Size[];
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
function requestsByAxis(c: Inference<unknown>, request: Request, rank: number): Map<number, Wanted> {
  const { axes, starts, ends, steps } = request;
  const named = axesOf(c, axes ?? starts.map((_, i) => i), rank);
  if (starts.length !== ends.length || named.length !== starts.length)
    c.fail('INVALID_VALUE', `${starts.length} starts, ${ends.length} ends and ${named.length} axes do not match`);
  if (steps?.includes(0)) c.fail('INVALID_VALUE', 'a step must not be 0');
  return new Map(named.map((axis, i) => [axis, [starts[i] as Size, ends[i] as Size, steps?.[i] ?? 1]]));
}

/** Numbers, or sizes that can be decided on. */
const decided = (c: Inference<unknown>, i: number): readonly Size[] | undefined => {
  const sizes = c.sizes(i);
  return sizes && areDecided(sizes) ? sizes : undefined;
};

function requestOf(c: Inference<SliceAttributes>): Request | undefined {
  const { axes: own, starts: from, ends: to } = c.attributes;
  if (from && to) return { axes: own, starts: from, ends: to, steps: undefined };
  const [starts, ends, axes, steps] = [1, 2, 3, 4].map((i) => (c.given(i) ? decided(c, i) : undefined));
  const open = !starts || !ends || (c.given(3) && !axes) || (c.given(4) && !steps);
  if (open) return undefined;
  return { starts, ends, axes: axes?.map(fixed), steps: steps?.map(fixed) };
}

function slicedDims(c: Inference<SliceAttributes>): Size[] | undefined {
  const request = requestOf(c);
  const dims = c.dims(0);
  if (!dims || !request) return dims?.map(() => c.unknown());
  const byAxis = requestsByAxis(c, request, dims.length);
  return dims.map((dim, axis) => {
    const wanted = byAxis.get(axis);
    if (!wanted) return dim;
    return cutOf(dim, wanted).length;
  });
}

/** Start, end and step of an axis. */
type Wanted = readonly [start: Size, end: Size, step: number];

/** The elements that are taken of an axis of length `dim`. */
function cutOf(dim: Size, [start, end, step]: Wanted): Cut<Size> {
  if (typeof dim === 'number' && typeof start === 'number' && typeof end === 'number')
    return cut(dim, start, end, step);
  if (step < 0) {
    const [from, to] = [fixed(start), fixed(end)];
    const part = (name: 'start' | 'length') =>
      derived(`${name} of ${from}:${to}:${step}`, [dim], (length) => cut(length, from, to, step)[name]);
    return { start: part('start'), step, length: part('length') };
  }
  const isToEnd = typeof end === 'number' && end >= 2 ** 31 - 1;
  const isFromEnd = !isAtMost(0, start);
  const first = isFromEnd ? maximum(add(dim, start), 0) : start;
  const from = isFromEnd ? first : minimum(start, dim);
  if (isToEnd && isFromEnd) return { start: from, step, length: ceilDivide(minimum(dim, multiply(start, -1)), step) };
  const to = isToEnd ? dim : isAtMost(0, end) ? minimum(dim, end) : add(dim, end);
  return { start: from, step, length: maximum(ceilDivide(subtract(to, first), step), 0) };
}

/** The cut of each axis, for known sizes. */
function cutsOf(c: Inference<SliceAttributes>, dims: readonly Size[]): Cut<Size>[] {
  const byAxis = requestsByAxis(c, requestOf(c) as Request, dims.length);
  return dims.map((length, axis): Cut<Size> => {
    const wanted = byAxis.get(axis);
    if (!wanted) return { start: 0, step: 1, length };
    return cutOf(length, wanted);
  });
}

const rules = {
  guarded: true,
  infer: (c: Inference<SliceAttributes>) => [like(c, 0, slicedDims(c))],
  sizes(c: Inference<SliceAttributes>): readonly Size[] | undefined {
    const sizes = c.sizes(0);
    if (!sizes || !requestOf(c) || c.dims(0)?.length !== 1) return undefined;
    const { start, step, length } = cutsOf(c, [sizes.length])[0] as Cut;
    return Array.from({ length }, (_, i) => sizes[start + i * step] as Size);
  },
  computes: by(primitive, (c: Inference<SliceAttributes>) => {
    const dims = c.dims(0);
    return dims && areDecided(dims) && requestOf(c) ? (cutsOf(c, dims) as Cut[]) : undefined;
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
