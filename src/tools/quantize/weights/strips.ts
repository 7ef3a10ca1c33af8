import type { Model } from '../../../model/document/model.js';
import { dimsOf, type FloatReader, floatReader } from '../tensor-data.js';
import { type Layer, sizeOf } from './layers.js';

/** Columns of a layer's result from `column` on, and of each the numbers from `step` on: whole blocks, the last filled up with 0. */
export interface Strip {
  readonly column: number;
  readonly step: number;
  /** How many numbers of each column. */
  readonly width: number;
  readonly values: Float32Array;
}

/** How many numbers are read at a time. */
const MOST_AT_ONCE = 2 ** 22;

const wholeBlocks = (size: number, block: number): number => Math.ceil(size / block) * block;

/** A weight piece by piece, as its numbers lie. */
export async function* stripsOf(model: Model, layer: Layer, block: number): AsyncGenerator<Strip> {
  const read = await floatReader(model, layer.weight);
  yield* layer.byRows ? byRows(read, layer, block) : byColumns(read, layer, block);
}

/** Each column is a row of the weight. */
async function* byRows(read: FloatReader, layer: Layer, block: number): AsyncGenerator<Strip> {
  const { n, k } = sizeOf(layer);
  const width = wholeBlocks(k, block);
  const rows = Math.max(1, Math.floor(MOST_AT_ONCE / width));
  for (let column = 0; column < n; column += rows) {
    const count = Math.min(rows, n - column);
    const stored = await read(column * k, (column + count) * k);
    yield { column, step: 0, width, values: width === k ? stored : filledUp(stored, k, width) };
  }
}

function filledUp(stored: Float32Array, k: number, width: number): Float32Array {
  const values = new Float32Array((stored.length / k) * width);
  for (let row = 0; row < stored.length / k; row++) values.set(stored.subarray(row * k, (row + 1) * k), row * width);
  return values;
}

/** Columns lie side by side. */
async function* byColumns(read: FloatReader, { weight }: Layer, block: number): AsyncGenerator<Strip> {
  const [k = 0, n = 0] = dimsOf(weight);
  const rows = Math.max(1, Math.floor(MOST_AT_ONCE / n / block)) * block;
  for (let step = 0; step < k; step += rows) {
    const count = Math.min(rows, k - step);
    const stored = await read(step * n, (step + count) * n);
    const width = wholeBlocks(count, block);
    const values = new Float32Array(n * width);
    turned(stored, n, values, width);
    yield { column: 0, step, width, values };
  }
}

/** Columns that are written side by side: a line of the cache of what is read. */
const SIDE_BY_SIDE = 16;

/** Lays rows of `n` out as columns of `width`. */
function turned(rows: Float32Array, n: number, columns: Float32Array, width: number): void {
  for (let first = 0; first < n; first += SIDE_BY_SIDE) {
    const end = Math.min(first + SIDE_BY_SIDE, n);
    for (let i = 0; i < rows.length / n; i++)
      for (let column = first; column < end; column++) columns[column * width + i] = rows[i * n + column] as number;
  }
}
