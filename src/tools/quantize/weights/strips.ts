import { oneAhead, type Take } from '../../../model/document/left-bytes.js';
import type { Model } from '../../../model/document/model.js';
import { type FloatReader, floatReader } from '../tensor-data.js';
import { type Layer, sizeOf } from './layers.js';

/**
 * Columns of a layer's result from `column` on, and of each the numbers from `step` on: whole blocks, the last filled up
 * with 0. They are there until the next strip is.
 */
export interface Strip {
  readonly column: number;
  readonly step: number;
  /** How many numbers of each column. */
  readonly width: number;
  readonly values: Float32Array;
}

/** How many numbers are read at a time, and how many are laid out, which a core's cache holds. */
const MOST_READ = 2 ** 22;
const LAID_OUT = 2 ** 15;

const wholeBlocks = (size: number, block: number): number => Math.ceil(size / block) * block;

/** A weight piece by piece, as its numbers lie. */
export async function* stripsOf(model: Model, layer: Layer, block: number, take?: Take): AsyncGenerator<Strip> {
  const read = await floatReader(model, layer.weight, take);
  yield* layer.byRows ? byRows(read, layer, block) : byColumns(read, layer, block);
}

/** So many rows of a matrix, as they are stored. */
interface Rows {
  readonly first: number;
  readonly count: number;
  readonly stored: Float32Array;
}

/** All rows of a matrix, `most` at a time. */
function rowsOf(read: FloatReader, rows: number, columns: number, most: number): AsyncIterable<Rows> {
  const starts = Array.from({ length: Math.ceil(rows / most) }, (_, i) => i * most);
  return oneAhead(starts, async (first) => {
    const end = Math.min(first + most, rows);
    return { first, count: end - first, stored: await read(first * columns, end * columns) };
  });
}

/** Each column is a row of the weight. */
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

/** Columns that are laid out together: two lines of a cache, in each row of what is read. */
const SIDE_BY_SIDE = 32;

/** Columns lie side by side. Of an odd number of blocks at a time, neighbors fall into different sets of a cache. */
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

/** Lays columns `begin` to `end` of rows of `n` out one behind the other, in `width` each. */
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
