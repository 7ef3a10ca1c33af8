import { stridesOf } from '../../../graph/dims.js';
import { FILL, type IndexMaps } from '../../../primitives/indexed-copy.js';
import { ELEMENTS } from '../../../tensor/element-types.js';
import { elementCount, type TensorValue } from '../../../tensor/tensor-value.js';
import type { Lowering } from '../lowering.js';
import { grainOf } from './grain.js';

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
