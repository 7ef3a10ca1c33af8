import { axisOf, int64s, type Plain, plain } from './array.js';
import { int, listed, movedToInput, type Reference, type References, tensor } from './definition.js';
import { transpose } from './movement.js';
import { around, stridesOf } from './offsets.js';
import { lanesOver } from './reductions.js';

const compare = (a: Plain, b: Plain): number => (a < b ? -1 : a > b ? 1 : 0);

/** Of equal elements the first comes first. */
const TopK: Reference = (node) => {
  const x = tensor(node, 0);
  const axis = axisOf(int(node, 'axis', -1), x.dims.length);
  const k = node.opset < 10 ? int(node, 'k', 1) : Number(movedToInput(node, 'k', 10, 1)?.[0]);
  if (int(node, 'sorted', 1) === 0) return undefined;
  const sign = int(node, 'largest', 1) ? -1 : 1;
  const dims = x.dims.map((size, i) => (i === axis ? k : size));
  const { starts, places } = lanesOver(x.dims, [axis], true);
  const targets = lanesOver(dims, [axis], true);
  const values = new Array<Plain>(k * starts.length);
  const indices = new Array<bigint>(k * starts.length);
  starts.forEach((start, lane) => {
    const at = (i: number) => x.data[start + (places[i] as number)] as Plain;
    const order = Array.from(places.keys()).sort((i, j) => sign * compare(at(i), at(j)) || i - j);
    for (let i = 0; i < k; i++) {
      const to = (targets.starts[lane] as number) + (targets.places[i] as number);
      values[to] = at(order[i] as number);
      indices[to] = BigInt(order[i] as number);
    }
  });
  return [plain(x.type, dims, values), plain('int64', dims, indices)];
};

const isZero = (x: Plain) => x === 0 || x === 0n || x === '';

const NonZero: Reference = (node) => {
  const { dims, data } = tensor(node, 0);
  const strides = stridesOf(dims);
  const found: number[] = [];
  data.forEach((x, i) => {
    if (!isZero(x)) found.push(i);
  });
  const coordinates = dims.flatMap((size, axis) => found.map((i) => Math.floor(i / (strides[axis] as number)) % size));
  return [int64s(coordinates, [dims.length, found.length])];
};

/** Slices along an axis, or elements: each once, in the order of their first places or sorted. */
const Unique: Reference = (node) => {
  const x = tensor(node, 0);
  const given = int(node, 'axis', undefined);
  const axis = given === undefined ? 0 : axisOf(given, x.dims.length);
  const flat = given === undefined ? plain(x.type, [x.data.length], x.data) : x;
  const rank = flat.dims.length;
  const order = [axis, ...Array.from({ length: rank }, (_, i) => i).filter((i) => i !== axis)];
  const { data, dims } = transpose(flat, order);
  const [count, length] = [dims[0] as number, data.length / (dims[0] as number)];
  const slice = (i: number) => data.slice(i * length, (i + 1) * length);
  const compareSlices = (i: number, j: number) => {
    for (let p = 0; p < length; p++) {
      const order = compare(data[i * length + p] as Plain, data[j * length + p] as Plain);
      if (order) return order;
    }
    return 0;
  };
  const firsts: number[] = [];
  const groupOf: number[] = [];
  for (let i = 0; i < count; i++) {
    const known = firsts.findIndex((first) => compareSlices(first, i) === 0);
    groupOf.push(known < 0 ? firsts.push(i) - 1 : known);
  }
  const groups = Array.from(firsts.keys());
  if (int(node, 'sorted', 1)) groups.sort((a, b) => compareSlices(firsts[a] as number, firsts[b] as number));
  const back = order.map((_, i) => order.indexOf(i));
  const kept = groups.flatMap((group) => slice(firsts[group] as number));
  return [
    transpose(plain(x.type, [groups.length, ...dims.slice(1)], kept), back),
    int64s(groups.map((group) => firsts[group] as number)),
    int64s(groupOf.map((group) => groups.indexOf(group))),
    int64s(groups.map((group) => groupOf.filter((own) => own === group).length)),
  ];
};

const Compress: Reference = (node) => {
  const x = tensor(node, 0);
  const condition = listed(node, 1) as readonly number[];
  const given = int(node, 'axis', undefined);
  const flat = given === undefined ? plain(x.type, [x.data.length], x.data) : x;
  const axis = given === undefined ? 0 : axisOf(given, x.dims.length);
  const { outer, size, inner } = around(flat.dims, axis);
  const kept = Array.from({ length: size }, (_, i) => i).filter((i) => condition[i]);
  const out: Plain[] = [];
  for (let o = 0; o < outer; o++) {
    for (const i of kept) {
      for (let j = 0; j < inner; j++) out.push(flat.data[(o * size + i) * inner + j] as Plain);
    }
  }
  return [
    plain(
      x.type,
      flat.dims.map((own, i) => (i === axis ? kept.length : own)),
      out,
    ),
  ];
};

export const SORTING: References = { TopK, NonZero, Unique, Compress };
