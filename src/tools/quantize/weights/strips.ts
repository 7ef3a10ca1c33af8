import { oneAhead, type Take } from '../../../model/document/left-bytes.js';
import type { Model } from '../../../model/document/model.js';
import { type FloatReader, floatReader } from '../tensor-data.js';
import { type Layer, sizeOf } from './layers.js';

/**
 * Part of a weight: output columns from `column` on, and in each the terms from `step` on, in whole blocks padded with
 * 0. It is valid until the next strip.
 */
export interface Strip {
  readonly column: number;
  readonly step: number;
  /** The number of terms of each column. */
  readonly width: number;
  readonly values: Float32Array;
}

/** The number of elements to read at once, and to transpose at once, which fits in a core's cache. */
const MOST_READ = 2 ** 22;
const LAID_OUT = 2 ** 15;

const wholeBlocks = (size: number, block: number): number => Math.ceil(size / block) * block;

/** Yields a weight in strips, in the order of its memory layout. */
export async function* stripsOf(model: Model, layer: Layer, block: number, take?: Take): AsyncGenerator<Strip> {
  const read = await floatReader(model, layer.weight, take);
  yield* layer.byRows ? byRows(read, layer, block) : byColumns(read, layer, block);
}

/** Consecutive rows of a stored matrix. */
interface Rows {
  readonly first: number;
  readonly count: number;
  readonly stored: Float32Array;
}

/** Reads all rows of a matrix, `most` at a time. */
function rowsOf(read: FloatReader, rows: number, columns: number, most: number): AsyncIterable<Rows> {
  const starts = Array.from({ length: Math.ceil(rows / most) }, (_, i) => i * most);
  return oneAhead(starts, async (first) => {
    const end = Math.min(first + most, rows);
    return { first, count: end - first, stored: await read(first * columns, end * columns) };
  });
}

/** Yields strips of a weight with a row for each output column. */
async function* byRows(read: FloatReader, layer: Layer, block: number): AsyncGenerator<Strip> {
  const { n, k } = sizeOf(layer);
  const width = wholeBlocks(k, block);
  const most = Math.max(1, Math.floor(MOST_READ / width));
  for await (const { first, stored } of rowsOf(read, n, k, most))
    yield { column: first, step: 0, width, values: width === k ? stored : filledUp(stored, k, width) };
}

function filledUp(stored: Float32Array, k: number, width: number): Float32Array {
  const values = new Float32Array((stored.length / k) * width);
  for (let row = 0; row < stored.length / k; row++) values.set(stored.subarray(row * k, (row + 1) * k), row * width);
  return values;
}

/** The number of columns to transpose together: two cache lines in each row. */
const SIDE_BY_SIDE = 32;

/**
 * Yields strips of a weight with columns side by side. The number of blocks is odd, so that neighbors use different
 * cache sets.
 */
async function* byColumns(read: FloatReader, layer: Layer, block: number): AsyncGenerator<Strip> {
  const { n, k } = sizeOf(layer);
  const most = (Math.max(0, Math.floor(MOST_READ / n / block) - 1) | 1) * block;
  for await (const { first, count, stored } of rowsOf(read, k, n, most)) {
    const width = wholeBlocks(count, block);
    const columns = Math.ceil(LAID_OUT / width / SIDE_BY_SIDE) * SIDE_BY_SIDE;
    const room = new Float32Array(Math.min(columns, n) * width);
    for (let column = 0; column < n; column += columns) {
      const end = Math.min(column + columns, n);
      turned(stored, n, column, end, room, width);
      yield { column, step: first, width, values: room.subarray(0, (end - column) * width) };
    }
  }
}

/** Transposes the columns from `begin` to `end` of rows with `n` elements. Each column gets `width` elements. */
function turned(rows: Float32Array, n: number, begin: number, end: number, columns: Float32Array, width: number): void {
  const count = rows.length / n;
  for (let i = 0; i < count; i++) {
    let to = i;
    for (let from = i * n + begin; from < i * n + end; from++) {
      columns[to] = rows[from] as number;
      to += width;
    }
  }
}
