import { toNumbers } from 'sardonyx/tensors';
import type { Readable } from './readable.js';

export type Numbers = Float32Array | Float64Array;

/** The number of elements read at once. */
export const PIECE = 1 << 22;

/** A tensor's numbers, piece by piece. */
export interface Pieces {
  /** Numbers of elements `begin` to `end`. */
  range(begin: number, end: number): Promise<Numbers>;
  /** Numbers from element `index` · PIECE up to the next piece or the end. */
  piece(index: number): Promise<Numbers>;
}

/** The number of pieces kept: those in use, and the one being read for the next step. */
const KEPT = 3;

/** Provides the pieces of a tensor. Tasks that iterate over them in order at the same time share each read. */
export function sharedPieces(tensor: Readable): <T>(work: (pieces: Pieces) => Promise<T>) => Promise<T> {
  const latest = new Map<number, Promise<Numbers>>();
  const range = async (begin: number, end: number) => toNumbers(await tensor.read(begin, end));
  const piece = (index: number) => {
    const numbers = latest.get(index) ?? range(index * PIECE, Math.min((index + 1) * PIECE, tensor.count));
    latest.set(index, numbers);
    if (latest.size > KEPT) latest.delete(latest.keys().next().value as number);
    return numbers;
  };
  let working = 0;
  return async (work) => {
    working++;
    try {
      return await work({ range, piece });
    } finally {
      if (--working === 0) latest.clear();
    }
  };
}
