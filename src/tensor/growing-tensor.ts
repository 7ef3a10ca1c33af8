import type { ElementType } from './element-types.js';
import { LazyTensor } from './lazy-tensor.js';
import { bytesOf, storedAnew } from './stored-rows.js';

/** A tensor in a backend's memory, whose last axis but one may grow there. */
export abstract class GrowingTensor extends LazyTensor {
  /** What its rows are stored as: `int8` with a scale each, where `type` is another. */
  abstract readonly stored: ElementType;
  /** Its first rows, by the same memory; those behind them may be overwritten if this tensor is the only one `isSole`. */
  abstract first(rows: number, isSole: boolean): GrowingTensor;
  /** Gives the memory back: neither this tensor nor another of the same memory is read again. */
  abstract letGo(): void;
  /** A copy of the rows as they are stored where they lie. */
  protected abstract kept(): Uint8Array;

  /** The rows as they are stored, one behind the other; of data that somebody has read, and may have changed, rounded once more. */
  rows(): Uint8Array {
    if (isUnread(this)) return this.kept();
    return storedAnew(bytesOf(this.data as Float32Array), this.dims, this.type, this.stored);
  }
}

const isUnread = (tensor: unknown): boolean => LazyTensor.is(tensor);
