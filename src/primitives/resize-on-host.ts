import { type ElementType, isInteger, rangeOf } from '../tensor/element-types.js';
import { emptyData } from '../tensor/empty-data.js';
import { numbersOf, tensorOf } from '../tensor/numbers.js';
import { elementCount, type TensorValue } from '../tensor/tensor-value.js';
import { FORMULAS } from './formulas.js';
import { type AxisTable, outputLength } from './resize-tables.js';

/** Resizes along the axes of `tables` in double precision; for `nearest`, elements of any type. */
export function resizeOnHost(x: TensorValue, tables: ReadonlyMap<number, AxisTable>, nearest: boolean): TensorValue {
  const crops = [...tables.values()].some((table) => table.constants || table.weights.some((w) => w !== 1));
  let result = x;
  for (const [axis, table] of tables) {
    result = nearest && !crops ? gatherAlong(result, axis, table) : sumAlong(result, axis, table);
  }
  return tables.size > 0 && result.type !== x.type ? inType(x.type, result) : result;
}

/** Converts computed numbers to type `to`. Integers round to the nearest, ties to even, and saturate. */
function inType(to: ElementType, x: TensorValue): TensorValue {
  const values = numbersOf(x);
  if (!isInteger(to)) return tensorOf(to, x.dims, values);
  const [least, largest] = rangeOf(to);
  const nearest = (x: number) => Math.min(Math.max(FORMULAS.Round(x, 0, 0, 0, 0), least), largest);
  return tensorOf(to, x.dims, Float64Array.from(values, nearest));
}

/**
 * Calls `visit` for every element of the result: its offset, its position along the axis, and the first offset and step of its line in x.
 */
function alongAxis(
  dims: readonly number[],
  axis: number,
  table: AxisTable,
  visit: (to: number, i: number, first: number, step: number) => void,
): number[] {
  const inner = elementCount(dims.slice(axis + 1));
  const length = dims[axis] as number;
  const output = outputLength(table);
  const outDims = dims.map((d, i) => (i === axis ? output : d));
  const count = elementCount(outDims);
  for (let to = 0; to < count; to++) {
    const line = Math.floor(to / inner / output);
    visit(to, Math.floor(to / inner) % output, line * length * inner + (to % inner), inner);
  }
  return outDims;
}

function gatherAlong(x: TensorValue, axis: number, table: AxisTable): TensorValue {
  const entries = x.data.length / Math.max(1, elementCount(x.dims));
  const outDims = x.dims.map((d, i) => (i === axis ? outputLength(table) : d));
  const data = emptyData(x.type, outDims) as { [i: number]: unknown };
  alongAxis(x.dims, axis, table, (to, i, first, step) => {
    const from = first + (table.indices[i] as number) * step;
    for (let e = 0; e < entries; e++) data[to * entries + e] = x.data[from * entries + e];
  });
  return { type: x.type, dims: outDims, data: data as unknown as TensorValue['data'] };
}

function sumAlong(x: TensorValue, axis: number, { taps, indices, weights, constants }: AxisTable): TensorValue {
  const values = numbersOf(x);
  const outDims = x.dims.map((d, i) => (i === axis ? indices.length / taps : d));
  const y = new Float64Array(elementCount(outDims));
  alongAxis(x.dims, axis, { taps, indices, weights, constants }, (to, i, first, step) => {
    let sum = constants?.[i] ?? 0;
    for (let t = i * taps; t < (i + 1) * taps; t++) {
      sum += (weights[t] as number) * (values[first + (indices[t] as number) * step] as number);
    }
    y[to] = sum;
  });
  return { type: 'float64', dims: outDims, data: y };
}

/** The gradient with respect to the input, a tensor of `dims`: adds each element of `g` to the elements that its sum read. */
export function spreadOnHost(
  g: TensorValue,
  tables: ReadonlyMap<number, AxisTable>,
  dims: readonly number[],
): TensorValue {
  const shapes: (readonly number[])[] = [dims];
  for (const [axis, table] of tables) shapes.push((shapes.at(-1) as readonly number[]).with(axis, outputLength(table)));
  let values: ArrayLike<number> = numbersOf(g);
  for (const [i, [axis, table]] of [...[...tables].entries()].reverse()) {
    const sums = new Float64Array(elementCount(shapes[i] as readonly number[]));
    alongAxis(shapes[i] as readonly number[], axis, table, (to, k, first, step) => {
      for (let t = k * table.taps; t < (k + 1) * table.taps; t++) {
        const at = first + (table.indices[t] as number) * step;
        sums[at] = (sums[at] as number) + (table.weights[t] as number) * (values[to] as number);
      }
    });
    values = sums;
  }
  return tensorOf(g.type, dims, values);
}
