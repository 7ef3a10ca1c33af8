import { axisOf, countOf, type Plain, type PlainArray, plain } from './array.js';
import {
  float,
  int,
  ints,
  listed,
  maybe,
  movedToInput,
  type Reference,
  type ReferenceNode,
  type References,
  scalar,
  tensor,
  text,
} from './definition.js';
import { isFloat, isWide } from './number-types.js';
import { around, broadcastDims, broadcastOffsets, offsets, steps, stridesOf, sums } from './offsets.js';

/** The elements at these offsets; `fill` where an offset is below 0. */
const taken = (x: PlainArray, dims: readonly number[], from: Float64Array, fill?: Plain): PlainArray => {
  const out = new Array<Plain>(from.length);
  for (let i = 0; i < out.length; i++) {
    const at = from[i] as number;
    out[i] = (at < 0 ? fill : x.data[at]) as Plain;
  }
  return plain(x.type, dims, out);
};

/** The elements whose index on each axis is one that the axis lists; −1: none. */
function picked(x: PlainArray, indices: readonly (readonly number[])[], fill?: Plain): PlainArray {
  const strides = stridesOf(x.dims);
  const tables = indices.map((list, axis) =>
    list.map((i) => (i < 0 ? Number.NEGATIVE_INFINITY : i * (strides[axis] as number))),
  );
  const dims = indices.map(({ length }) => length);
  return taken(x, dims, sums(tables), fill);
}

const every = (size: number): number[] => steps(size, 1);

const zeroOf = (type: PlainArray['type']): Plain => (type === 'string' ? '' : isWide(type) ? 0n : 0);

export function transpose(x: PlainArray, order: readonly number[]): PlainArray {
  const strides = stridesOf(x.dims);
  const dims = order.map((axis) => x.dims[axis] as number);
  return taken(
    x,
    dims,
    offsets(
      dims,
      order.map((axis) => strides[axis] as number),
    ),
  );
}

const Transpose: Reference = (node) => {
  const x = tensor(node, 0);
  return [transpose(x, ints(node, 'perm') ?? Array.from(x.dims.keys()).reverse())];
};

const Expand: Reference = (node) => {
  const x = tensor(node, 0);
  const dims = broadcastDims([x.dims, listed(node, 1) ?? []]);
  return [taken(x, dims, broadcastOffsets(x.dims, dims))];
};

const Tile: Reference = (node) => {
  const x = tensor(node, 0);
  const repeats = listed(node, 1) ?? [];
  if (node.opset < 6) return undefined;
  const indices = x.dims.map((size, axis) => steps(size * (repeats[axis] as number), 1).map((i) => i % size));
  return [picked(x, indices)];
};

export function concat(parts: readonly PlainArray[], axis: number): PlainArray {
  const [first] = parts as [PlainArray];
  const isAlike = ({ dims }: PlainArray) => dims.every((d, i) => i === axis || d === first.dims[i]);
  if (!parts.every(isAlike)) throw new RangeError(`parts that differ beside axis ${axis}`);
  const { outer } = around(first.dims, axis);
  const sizes = parts.map(({ dims }) => dims[axis] as number);
  const out: Plain[] = [];
  for (let i = 0; i < outer; i++) {
    for (const { dims, data } of parts) {
      const length = countOf(dims.slice(axis));
      for (let j = i * length; j < (i + 1) * length; j++) out.push(data[j] as Plain);
    }
  }
  const total = sizes.reduce((a, b) => a + b, 0);
  return plain(
    first.type,
    first.dims.map((size, i) => (i === axis ? total : size)),
    out,
  );
}

const Concat: Reference = (node) => {
  const parts = node.inputs.map((_, i) => tensor(node, i));
  return [concat(parts, axisOf(int(node, 'axis', 1), (parts[0] as PlainArray).dims.length))];
};

/** Elements begin … end − 1 of an axis. */
export const part = (x: PlainArray, axis: number, begin: number, end: number): PlainArray =>
  picked(
    x,
    x.dims.map((size, i) => (i === axis ? steps(end - begin, 1, begin) : every(size))),
  );

/** Parts of these sizes along an axis. */
export function split(x: PlainArray, axis: number, sizes: readonly number[]): PlainArray[] {
  let begin = 0;
  return sizes.map((size) => {
    begin += size;
    return part(x, axis, begin - size, begin);
  });
}

/** Parts of one size, the last of what is left. */
function evenSizes(size: number, parts: number): number[] {
  const each = Math.ceil(size / parts);
  return Array.from({ length: parts }, (_, i) => Math.max(0, Math.min(each, size - i * each)));
}

const Split: Reference = (node) => {
  const x = tensor(node, 0);
  const axis = axisOf(int(node, 'axis', 0), x.dims.length);
  const sizes =
    movedToInput(node, 'split', 13, 1) ?? evenSizes(x.dims[axis] as number, int(node, 'num_outputs', node.outputs));
  return split(x, axis, sizes);
};

const clamp = (i: number, low: number, high: number) => Math.min(Math.max(i, low), high);

/** As Python's slices. */
function sliced(size: number, start: number, end: number, step: number): number[] {
  const [low, high] = step > 0 ? [0, size] : [-1, size - 1];
  const from = clamp(start < 0 ? start + size : start, Math.max(low, 0), high);
  const to = clamp(end < 0 ? end + size : end, low, high);
  return steps(Math.max(0, Math.ceil((to - from) / step)), step, from);
}

const Slice: Reference = (node) => {
  const x = tensor(node, 0);
  const [starts = [], ends = [], axes, strides] = ['starts', 'ends', 'axes', 'steps'].map((name, i) =>
    movedToInput(node, name, 10, i + 1),
  );
  const indices = x.dims.map(every);
  starts.forEach((start, i) => {
    const axis = axisOf(axes?.[i] ?? i, x.dims.length);
    indices[axis] = sliced(x.dims[axis] as number, start, ends[i] as number, strides?.[i] ?? 1);
  });
  return [picked(x, indices)];
};

/** Which element stands at a place outside 0 … size − 1; below 0: none. */
const PADDINGS: Readonly<Record<string, (i: number, size: number) => number>> = {
  constant: () => -1,
  edge: (i, size) => clamp(i, 0, size - 1),
  reflect: (i, size) => {
    const period = 2 * (size - 1);
    const at = ((i % period) + period) % period;
    return at < size ? at : period - at;
  },
  wrap: (i, size) => ((i % size) + size) % size,
};

/** Pads, axes and the constant, which were attributes before opset 11. */
function paddingOf(node: ReferenceNode) {
  const x = tensor(node, 0);
  const pads = movedToInput(node, 'pads', 11, 1);
  const axes = listed(node, 3) ?? Array.from(x.dims.keys());
  const old = isFloat(x.type) ? float(node, 'value', 0) : zeroOf(x.type);
  const fill = node.opset < 11 ? old : (maybe(node, 2)?.data[0] ?? zeroOf(x.type));
  return { x, pads, axes, fill };
}

const Pad: Reference = (node) => {
  const { x, pads, axes, fill } = paddingOf(node);
  const mode = text(node, 'mode', 'constant');
  const outside = PADDINGS[mode];
  if (!pads || !outside) return undefined;
  const indices = x.dims.map(every);
  for (const [i, given] of axes.entries()) {
    const axis = axisOf(given, x.dims.length);
    const size = x.dims[axis] as number;
    const [begin, end] = [pads[i] as number, pads[axes.length + i] as number];
    const grows = begin > 0 || end > 0;
    if (grows && mode !== 'constant' && (size === 0 || (mode === 'reflect' && size === 1))) return undefined;
    indices[axis] = steps(size + begin + end, 1, -begin).map((at) => (at >= 0 && at < size ? at : outside(at, size)));
  }
  return [picked(x, indices, fill)];
};

/** Splits axes, reorders them and joins them again. */
const regrouped = (
  x: PlainArray,
  apart: readonly number[],
  order: readonly number[],
  dims: readonly number[],
): PlainArray => plain(x.type, dims, transpose(plain(x.type, apart, x.data), order).data);

const SpaceToDepth: Reference = (node) => {
  const x = tensor(node, 0);
  const [n, c, h, w] = x.dims as [number, number, number, number];
  const b = int(node, 'blocksize', 1);
  return [regrouped(x, [n, c, h / b, b, w / b, b], [0, 3, 5, 1, 2, 4], [n, c * b * b, h / b, w / b])];
};

const DepthToSpace: Reference = (node) => {
  const x = tensor(node, 0);
  const [n, c, h, w] = x.dims as [number, number, number, number];
  const b = int(node, 'blocksize', 1);
  const depth = c / (b * b);
  const dims = [n, depth, h * b, w * b];
  return [
    text(node, 'mode', 'DCR') === 'DCR'
      ? regrouped(x, [n, b, b, depth, h, w], [0, 3, 4, 1, 5, 2], dims)
      : regrouped(x, [n, depth, b, b, h, w], [0, 1, 4, 2, 5, 3], dims),
  ];
};

const Trilu: Reference = (node) => {
  const x = tensor(node, 0);
  const k = node.inputs[1] === undefined ? 0 : scalar(node, 1);
  const isUpper = int(node, 'upper', 1) !== 0;
  const [rows, columns] = x.dims.slice(-2) as [number, number];
  const zero = zeroOf(x.type);
  const out = x.data.map((value, i) => {
    const column = i % columns;
    const diagonal = column - (Math.floor(i / columns) % rows);
    return (isUpper ? diagonal >= k : diagonal <= k) ? value : zero;
  });
  return [plain(x.type, x.dims, out)];
};

const ReverseSequence: Reference = (node) => {
  const x = tensor(node, 0);
  const lengths = listed(node, 1) as readonly number[];
  const [batchAxis, timeAxis] = [int(node, 'batch_axis', 1), int(node, 'time_axis', 0)];
  const strides = stridesOf(x.dims);
  const [batchStride, timeStride] = [strides[batchAxis] as number, strides[timeAxis] as number];
  const out = x.data.map((_, i) => {
    const batch = Math.floor(i / batchStride) % (x.dims[batchAxis] as number);
    const time = Math.floor(i / timeStride) % (x.dims[timeAxis] as number);
    const length = lengths[batch] as number;
    return x.data[time < length ? i + (length - 1 - 2 * time) * timeStride : i] as Plain;
  });
  return [plain(x.type, x.dims, out)];
};

/** Each size centred in the wanted one: cropped or padded by zeros. */
const CenterCropPad: Reference = (node) => {
  const x = tensor(node, 0);
  const wanted = listed(node, 1) as readonly number[];
  const axes = ints(node, 'axes') ?? Array.from(x.dims.keys());
  const indices = x.dims.map(every);
  axes.forEach((given, i) => {
    const axis = axisOf(given, x.dims.length);
    const [size, target] = [x.dims[axis] as number, wanted[i] as number];
    const start = size > target ? Math.floor((size - target) / 2) : -Math.floor((target - size) / 2);
    indices[axis] = steps(target, 1, start).map((at) => (at < size ? at : -1));
  });
  return [picked(x, indices, zeroOf(x.type))];
};

export const MOVEMENT: References = {
  Transpose,
  Expand,
  Tile,
  Concat,
  Split,
  Slice,
  Pad,
  SpaceToDepth,
  DepthToSpace,
  Trilu,
  ReverseSequence,
  CenterCropPad,
};
