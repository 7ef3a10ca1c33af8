import { countOf, type Plain, type PlainArray, plain } from './array.js';
import { float, int, ints, listed, type Reference, type ReferenceNode, type References, tensor } from './definition.js';
import { isFloat, isInteger, isWide } from './number-types.js';
import { stridesOf } from './offsets.js';
import { type Axis, axesOf, PADDING, windowsOver } from './windows.js';

interface Pooling {
  readonly x: PlainArray;
  readonly axes: readonly Axis[];
  readonly dims: readonly number[];
  /** Every window of every plane: where the plane starts, and the places of the window in it, below 0 outside. */
  readonly each: (visit: (plane: number, places: readonly number[]) => void) => void;
}

function poolingOf(node: ReferenceNode): Pooling {
  const x = tensor(node, 0);
  const [batch, channels, ...sizes] = x.dims as [number, number, ...number[]];
  const axes = axesOf(node, sizes, ints(node, 'kernel_shape') ?? sizes);
  const { source, starts, places } = windowsOver(axes);
  const planes = batch * channels;
  const size = countOf(sizes);
  return {
    x,
    axes,
    dims: [batch, channels, ...axes.map(({ out }) => out)],
    each: (visit) => {
      const windows = Array.from(starts, (start) => Array.from(places, (place) => source[start + place] as number));
      for (let plane = 0; plane < planes; plane++) for (const window of windows) visit(plane * size, window);
    },
  };
}

/** A spatial index counted with the first axis fastest. */
function columnMajor(index: number, sizes: readonly number[]): number {
  const strides = stridesOf(sizes);
  let found = 0;
  let step = 1;
  sizes.forEach((size, axis) => {
    found += (Math.floor(index / (strides[axis] as number)) % size) * step;
    step *= size;
  });
  return found;
}

const lowest = (type: PlainArray['type']): number =>
  isFloat(type) ? Number.NEGATIVE_INFINITY : type === 'int8' ? -128 : 0;

const MaxPool: Reference = (node) => {
  const { x, dims, each } = poolingOf(node);
  const sizes = x.dims.slice(2);
  const isColumnMajor = int(node, 'storage_order', 0) !== 0;
  if (isWide(x.type)) return undefined;
  const data: number[] = [];
  const indices: bigint[] = [];
  each((plane, places) => {
    let best = -1;
    for (const at of places) {
      if (at >= 0 && (best < 0 || (x.data[plane + at] as number) > (x.data[plane + best] as number))) best = at;
    }
    data.push(best < 0 ? lowest(x.type) : (x.data[plane + best] as number));
    indices.push(BigInt(plane + (isColumnMajor ? columnMajor(best, sizes) : best)));
  });
  return [plain(x.type, dims, data), plain('int64', dims, indices)];
};

const AveragePool: Reference = (node) => {
  const { x, dims, each } = poolingOf(node);
  if (!isFloat(x.type)) return undefined;
  const countsPadding = int(node, 'count_include_pad', 0) !== 0;
  const data: number[] = [];
  each((plane, places) => {
    let sum = 0;
    let count = 0;
    for (const at of places) {
      if (at >= 0) sum += x.data[plane + at] as number;
      if (at >= 0 || (countsPadding && at === PADDING)) count++;
    }
    data.push(sum / count);
  });
  return [plain(x.type, dims, data)];
};

const LpPool: Reference = (node) => {
  const { x, dims, each } = poolingOf(node);
  if (!isFloat(x.type)) return undefined;
  const p = node.opset < 2 ? float(node, 'p', 2) : int(node, 'p', 2);
  const data: number[] = [];
  each((plane, places) => {
    let sum = 0;
    for (const at of places) if (at >= 0) sum += Math.abs(x.data[plane + at] as number) ** p;
    data.push(sum ** (1 / p));
  });
  return [plain(x.type, dims, data)];
};

/** One window as large as the plane. */
const globally =
  (reference: Reference): Reference =>
  (node) =>
    reference({ ...node, attributes: { p: node.attributes.p } })?.slice(0, 1);

const MaxUnpool: Reference = (node) => {
  const x = tensor(node, 0);
  const indices = listed(node, 1) as readonly number[];
  const [batch, channels, ...sizes] = x.dims as [number, number, ...number[]];
  const kernels = ints(node, 'kernel_shape') ?? [];
  const [strides, pads] = [ints(node, 'strides'), ints(node, 'pads')];
  const grown = sizes.map((size, i) => {
    const padding = (pads?.[i] ?? 0) + (pads?.[sizes.length + i] ?? 0);
    return (size - 1) * (strides?.[i] ?? 1) + (kernels[i] as number) - padding;
  });
  const natural = [batch, channels, ...grown];
  const dims = listed(node, 2) ?? natural;
  if (dims.slice(2).some((size, i) => size !== grown[i])) return undefined;
  const data = new Array<Plain>(countOf(dims)).fill(isInteger(x.type) && isWide(x.type) ? 0n : 0);
  indices.forEach((at, i) => {
    data[at] = x.data[i] as Plain;
  });
  return [plain(x.type, dims, data)];
};

export const POOLING: References = {
  MaxPool,
  AveragePool,
  LpPool,
  GlobalMaxPool: globally(MaxPool),
  GlobalAveragePool: globally(AveragePool),
  GlobalLpPool: globally(LpPool),
  MaxUnpool,
};
