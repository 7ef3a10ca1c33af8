import { grainOf } from '../backends/wasm/lower/grain.js';
import type { Lowering } from '../backends/wasm/lowering.js';
import { stridesOf } from '../graph/dims.js';
import { ELEMENTS } from '../tensor/element-types.js';
import { emptyEntries, entriesOf, tensorOfEntries } from '../tensor/packed.js';
import { elementCount, type TensorValue } from '../tensor/tensor-value.js';

/** For every axis of the result, which position of the source each of its positions shows; FILL: none. */
export type IndexMaps = readonly Int32Array[];

export const FILL = -1;

const isWhole = (map: Int32Array, length: number) => map.length === length && map.every((from, to) => from === to);

/** Axes at the end that are copied whole are one run. */
function runAxes(dims: readonly number[], maps: IndexMaps): number {
  let axis = dims.length;
  while (axis > 1 && isWhole(maps[axis - 1] as Int32Array, dims[axis - 1] as number)) axis--;
  return axis;
}

/** Emits y[i] = x[maps applied to i], `fill` where a map has none; 'host' for elements over 8 bytes or under one. */
export function copyIndexed(c: Lowering<unknown>, maps: IndexMaps, fill: TensorValue | undefined): 'host' | undefined {
  const dims = c.shape(0);
  const outDims = c.outputShape(0);
  const elementBytes = ELEMENTS[c.element(0)].bits / 8;
  if (![1, 2, 4, 8].includes(elementBytes)) return 'host';
  if (dims.length === 0) {
    c.alias(0, 0);
    return;
  }
  const rank = runAxes(dims, maps);
  const strides = stridesOf(dims);
  const offsets = maps
    .slice(0, rank)
    .map((map, axis) => map.map((at) => (at < 0 ? FILL : at * (strides[axis] as number))));
  const run = elementCount(dims.slice(rank));
  const columns = outDims[rank - 1] as number;
  const rows = elementCount(outDims.slice(0, rank - 1));
  const tileRows = grainOf(rows, columns * (run + 4));
  const [valueLow = 0, valueHigh = 0] = bitsOf(fill, elementBytes);
  const words = Int32Array.from([...outDims.slice(0, rank), ...offsets.flatMap((map) => [...map])]);
  const params = {
    x: c.input(0),
    y: c.output(0),
    table: c.table(words),
    rank,
    elementBytes,
    run,
    rows,
    tileRows,
    valueLow,
    valueHigh,
  };
  c.launch('indexedCopy', params, elementCount(outDims) && Math.ceil(rows / tileRows), { writes: [c.output(0)] });
}

/** The first element's bits as two words. */
function bitsOf(value: TensorValue | undefined, bytes: number): Uint32Array {
  const words = new Uint32Array(2);
  if (value && ArrayBuffer.isView(value.data)) {
    new Uint8Array(words.buffer).set(new Uint8Array(value.data.buffer, value.data.byteOffset, bytes));
  }
  return words;
}

/** The same on the host, for every type. */
export function evaluateIndexed(x: TensorValue, maps: IndexMaps, fill: TensorValue | undefined): TensorValue {
  const dims = maps.map((map) => map.length);
  const strides = stridesOf(x.dims);
  const { entries = 1 } = ELEMENTS[x.type];
  const [from, filling] = [entriesOf(x), fill && entriesOf(fill)];
  const data = emptyEntries(x.type, dims) as unknown[];
  const count = elementCount(dims);
  for (let i = 0; i < count; i++) {
    let position = 0;
    let filled = false;
    for (let axis = dims.length - 1, rest = i; axis >= 0; axis--) {
      const at = (maps[axis] as Int32Array)[rest % (dims[axis] as number)] as number;
      rest = Math.floor(rest / (dims[axis] as number));
      filled ||= at < 0;
      position += at * (strides[axis] as number);
    }
    for (let e = 0; e < entries; e++) {
      if (!filled) data[i * entries + e] = from[position * entries + e];
      else if (filling) data[i * entries + e] = filling[e];
    }
  }
  return tensorOfEntries(x.type, dims, data as string[]);
}
