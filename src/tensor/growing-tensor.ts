import { LazyTensor } from './lazy-tensor.js';

/** A tensor in a backend's memory, whose last axis but one may grow there. */
export abstract class GrowingTensor extends LazyTensor {
  /** Its first rows, by the same memory; those behind them may be overwritten if this tensor is the only one `isSole`. */
  abstract first(rows: number, isSole: boolean): GrowingTensor;
  /** Gives the memory back: neither this tensor nor another of the same memory is read again. */
  abstract letGo(): void;
}
