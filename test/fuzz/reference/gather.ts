import { axisOf, countOf, indexOf, type Plain, type PlainArray, plain } from './array.js';
import { int, listed, type Reference, type ReferenceNode, type References, tensor, text } from './definition.js';
import { isInteger, wrap } from './number-types.js';
import { around, offsets, stridesOf } from './offsets.js';

const Gather: Reference = (node) => {
  const x = tensor(node, 0);
  const indices = tensor(node, 1);
  const axis = axisOf(int(node, 'axis', 0), x.dims.length);
  const { outer, size, inner } = around(x.dims, axis);
  const at = indices.data.map((i) => indexOf(Number(i), size));
  const out: Plain[] = [];
  for (let o = 0; o < outer; o++) {
    for (const i of at) {
      const from = (o * size + i) * inner;
      for (let j = 0; j < inner; j++) out.push(x.data[from + j] as Plain);
    }
  }
  return [plain(x.type, [...x.dims.slice(0, axis), ...indices.dims, ...x.dims.slice(axis + 1)], out)];
};

/** Where in X each index of a tensor of indices points to, the index replacing its own place on the axis. */
function pointedAt(x: PlainArray, indices: PlainArray, axis: number): number[] {
  const strides = stridesOf(x.dims);
  const stride = strides[axis] as number;
  const size = x.dims[axis] as number;
  const others = offsets(
    indices.dims,
    strides.map((own, i) => (i === axis ? 0 : own)),
  );
  return indices.data.map((index, i) => (others[i] as number) + indexOf(Number(index), size) * stride);
}

const GatherElements: Reference = (node) => {
  const [x, indices] = [tensor(node, 0), tensor(node, 1)];
  const axis = axisOf(int(node, 'axis', 0), x.dims.length);
  const out = pointedAt(x, indices, axis).map((at) => x.data[at] as Plain);
  return [plain(x.type, indices.dims, out)];
};

/** Where in X each tuple of indices points to; tuples share the first `batch` axes with X. */
function tuplesAt(x: PlainArray, indices: PlainArray, batch: number): number[] {
  const width = indices.dims.at(-1) as number;
  const strides = stridesOf(x.dims);
  const perBatch = countOf(indices.dims.slice(batch, -1));
  const batchSize = countOf(x.dims.slice(batch));
  return Array.from({ length: countOf(indices.dims.slice(0, -1)) }, (_, tuple) => {
    let at = Math.floor(tuple / perBatch) * batchSize;
    for (let i = 0; i < width; i++) {
      const index = Number(indices.data[tuple * width + i]);
      at += indexOf(index, x.dims[batch + i] as number) * (strides[batch + i] as number);
    }
    return at;
  });
}

const GatherND: Reference = (node) => {
  const [x, indices] = [tensor(node, 0), tensor(node, 1)];
  const batch = int(node, 'batch_dims', 0);
  const kept = x.dims.slice(batch + (indices.dims.at(-1) as number));
  const length = countOf(kept);
  const out: Plain[] = [];
  for (const at of tuplesAt(x, indices, batch)) {
    for (let i = 0; i < length; i++) out.push(x.data[at + i] as Plain);
  }
  return [plain(x.type, [...indices.dims.slice(0, -1), ...kept], out)];
};

type Combine = (old: Plain, update: Plain) => Plain;

/** Arithmetic of a type on its plain numbers. */
function arithmetic(
  type: PlainArray['type'],
  floats: (a: number, b: number) => number,
  integers: (a: bigint, b: bigint) => bigint,
): Combine {
  if (!isInteger(type)) return (a, b) => floats(a as number, b as number);
  return (a, b) => wrap(type, integers(BigInt(a), BigInt(b)));
}

/** What becomes of an element that an update falls on. */
const COMBINATIONS: Readonly<Record<string, (type: PlainArray['type']) => Combine>> = {
  none: () => (_, update) => update,
  add: (type) =>
    arithmetic(
      type,
      (a, b) => a + b,
      (a, b) => a + b,
    ),
  mul: (type) =>
    arithmetic(
      type,
      (a, b) => a * b,
      (a, b) => a * b,
    ),
  max: () => (a, b) => (a > b ? a : b),
  min: () => (a, b) => (a < b ? a : b),
};

const combinationOf = (node: ReferenceNode, type: PlainArray['type']): Combine | undefined =>
  COMBINATIONS[text(node, 'reduction', 'none')]?.(type);

/** Without a reduction the order of updates of one element is open. */
const isOpen = (node: ReferenceNode, places: readonly number[]): boolean =>
  text(node, 'reduction', 'none') === 'none' && new Set(places).size < places.length;

function scattered(node: ReferenceNode, places: readonly number[], length: number): PlainArray[] | undefined {
  const [x, updates] = [tensor(node, 0), tensor(node, 2)];
  const combine = combinationOf(node, x.type);
  if (!combine || isOpen(node, places)) return undefined;
  const out = [...x.data];
  places.forEach((to, i) => {
    for (let j = 0; j < length; j++) {
      out[to + j] = combine(out[to + j] as Plain, updates.data[i * length + j] as Plain);
    }
  });
  return [plain(x.type, x.dims, out)];
}

const ScatterElements: Reference = (node) => {
  const x = tensor(node, 0);
  const axis = axisOf(int(node, 'axis', 0), x.dims.length);
  return scattered(node, pointedAt(x, tensor(node, 1), axis), 1);
};

const ScatterND: Reference = (node) => {
  const [x, indices] = [tensor(node, 0), tensor(node, 1)];
  return scattered(node, tuplesAt(x, indices, 0), countOf(x.dims.slice(indices.dims.at(-1))));
};

/** Writes a run of new entries into each batch of a cache, from an index of its own on. */
const TensorScatter: Reference = (node) => {
  const [past, update] = [tensor(node, 0), tensor(node, 1)];
  const starts = listed(node, 2);
  const axis = axisOf(int(node, 'axis', -2), past.dims.length);
  const isCircular = text(node, 'mode', 'linear') === 'circular';
  const { outer, size, inner } = around(past.dims, axis);
  const length = update.dims[axis] as number;
  const perBatch = outer / (past.dims[0] as number);
  const out = [...past.data];
  for (let o = 0; o < outer; o++) {
    const start = starts?.[Math.floor(o / perBatch)] ?? 0;
    for (let i = 0; i < length; i++) {
      const to = isCircular ? (start + i) % size : start + i;
      if (to >= size) throw new RangeError(`entry ${to} of ${size}`);
      for (let j = 0; j < inner; j++) {
        out[(o * size + to) * inner + j] = update.data[(o * length + i) * inner + j] as Plain;
      }
    }
  }
  return [plain(past.type, past.dims, out)];
};

export const GATHER: References = {
  Gather,
  GatherElements,
  GatherND,
  ScatterElements,
  Scatter: ScatterElements,
  ScatterND,
  TensorScatter,
};
