import type { ElementType } from './element-types.js';
import { LazyTensor } from './lazy-tensor.js';
import { bytesOf, storedAnew } from './stored-rows.js';

/** A tensor in a backend's memory whose second-to-last axis may grow in place. */
export abstract class GrowingTensor extends LazyTensor {
  /** The type in which rows are stored: `int8` rows each have a scale, if `type` is another. */
  abstract readonly stored: ElementType;
  /** The first rows, in the same memory. If this tensor `isSole`, rows behind them may be overwritten. */
  abstract first(rows: number, isSole: boolean): GrowingTensor;
  /** Frees the memory; no tensor that shares it may be read again. */
  abstract letGo(): void;
  /** A copy of the rows as stored. */
  protected abstract kept(): Uint8Array;

  /** The rows as stored, contiguous. If the data has been read, and may have been changed, it is rounded again. */
  rows(): Uint8Array {
    if (isUnread(this)) return this.kept();
    return storedAnew(bytesOf(this.data as Float32Array), this.dims, this.type, this.stored);
  }
}

const isUnread = (tensor: unknown): boolean => LazyTensor.is(tensor);
