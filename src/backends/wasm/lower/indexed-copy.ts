import { stridesOf } from '../../../graph/dims.js';
import { isSame } from '../../../graph/guards.js';
import { add, ceilDivide, isKnown, multiply, product, type Size } from '../../../graph/sizes.js';
import { FILL } from '../../../primitives/indexed-copy.js';
import { ELEMENTS } from '../../../tensor/element-types.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import type { Formula, Lowering } from '../lowering.js';
import { grainOf } from './grain.js';

/** The source positions along an axis; null: all, in order. */
type AxisMap = Int32Array | Formula | null;

const isFormula = (map: AxisMap): map is Formula => map !== null && 'sizes' in map;

const isWhole = (map: AxisMap, length: Size) =>
  map === null || (!isFormula(map) && isSame(map.length, length) && map.every((from, to) => from === to));

/** The number of axes before the run, which consists of the trailing axes that are copied whole. */
function runAxes(dims: readonly Size[], maps: readonly AxisMap[]): number {
  let axis = dims.length;
  while (axis > 1 && isWhole(maps[axis - 1] as AxisMap, dims[axis - 1] as Size)) axis--;
  return axis;
}

/** Emits y[i] = x[maps applied to i], `fill` where a map has none; 'host' unless elements take 1, 2, 4 or 8 bytes. */
export function copyIndexed(c: Lowering, maps: readonly AxisMap[], fill: TensorValue | undefined): 'host' | undefined {
  const dims = c.shape(0);
  const outDims = c.outputShape(0);
  const elementBytes = ELEMENTS[c.element(0)].bits / 8;
  if (![1, 2, 4, 8].includes(elementBytes)) return 'host';
  if (dims.length === 0) {
    c.alias(0, 0);
    return;
  }
  const rank = runAxes(dims, maps);
  const run = product(dims.slice(rank));
  const columns = outDims[rank - 1] as Size;
  const rows = product(outDims.slice(0, rank - 1));
  const tileRows = grainOf(rows, multiply(columns, add(run, 4)));
  const [valueLow = 0, valueHigh = 0] = bitsOf(fill, elementBytes);
  const params = {
    x: c.input(0),
    y: c.output(0),
    table: c.table(offsetsOf(dims, maps.slice(0, rank))),
    rank,
    elementBytes,
    run,
    rows,
    tileRows,
    valueLow,
    valueHigh,
  };
  c.launch('indexedCopy', params, isSame(product(outDims), 0) ? 0 : ceilDivide(rows, tileRows), {
    writes: [c.output(0)],
  });
}

/** The kernel's table; a formula if a map is one or a size is symbolic. */
function offsetsOf(dims: readonly Size[], maps: readonly AxisMap[]): Int32Array | Formula {
  const formulas = maps.filter(isFormula);
  const make = (numbers: readonly number[]): Int32Array | undefined => {
    const own = numbers.slice(dims.length);
    const made: Int32Array[] = [];
    for (const [axis, map] of maps.entries()) {
      const positions = isFormula(map) ? map.make(own.splice(0, map.sizes.length)) : map;
      if (positions === undefined) return undefined;
      made.push((positions as Int32Array | null) ?? everyPosition(numbers[axis] as number));
    }
    return wordsOf(numbers.slice(0, dims.length), made);
  };
  const sizes = [...dims, ...formulas.flatMap((formula) => formula.sizes)];
  return formulas.length > 0 || !isKnown(sizes) ? { sizes, make } : (make(sizes) as Int32Array);
}

const everyPosition = (length: number) => Int32Array.from({ length }, (_, i) => i);

/** The number of positions of each axis, then the source offset of each position. */
function wordsOf(dims: readonly number[], maps: readonly Int32Array[]): Int32Array {
  const strides = stridesOf(dims);
  const words = new Int32Array(maps.reduce((sum, { length }) => sum + length, maps.length));
  let next = maps.length;
  for (const [axis, map] of maps.entries()) {
    words[axis] = map.length;
    for (const at of map) words[next++] = at < 0 ? FILL : at * (strides[axis] as number);
  }
  return words;
}

/** The first element's bits as two words. */
function bitsOf(value: TensorValue | undefined, bytes: number): Uint32Array {
  const words = new Uint32Array(2);
  if (value && ArrayBuffer.isView(value.data)) {
    new Uint8Array(words.buffer).set(new Uint8Array(value.data.buffer, value.data.byteOffset, bytes));
  }
  return words;
}
