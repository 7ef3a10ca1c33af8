import { aborted } from '../../base/aborted.js';
import { SardonyxError } from '../../base/errors.js';
import { nextTurn, TimeSlice } from '../../base/turns.js';

/**
 * The most bytes copied in one turn of the event loop: 3.5 ms of processor time in Chromium, because a MiB takes some 0.7 ms in fresh
 * memory. Allocating 64 MiB takes 0.3 ms, and some 2 ms with the garbage collection that it may trigger.
 */
export const PIECE = 2 ** 22;

/** Bytes between two checks of the clock, and the longest turn if memory is slower. */
const STRIDE = 2 ** 18;
const SLICE_MILLISECONDS = 3;

export interface Copy {
  readonly from: Uint8Array;
  readonly to: Uint8Array;
}

export const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

export const bytesIn = (copies: readonly Copy[]): number => copies.reduce((sum, { to }) => sum + to.length, 0);

export function copyAtOnce(copies: readonly Copy[]): void {
  for (const { from, to } of copies) to.set(from);
}

export async function copyAll(copies: readonly Copy[]): Promise<void> {
  if (bytesIn(copies) > PIECE) await copyInPieces(copies);
  else copyAtOnce(copies);
}

export function oneAfterAnother(arrays: readonly Uint8Array[], to: Uint8Array): Copy[] {
  let end = 0;
  return arrays.map((from) => {
    const begin = end;
    end += from.length;
    return { from, to: to.subarray(begin, end) };
  });
}

let lastTurn: Promise<void> = Promise.resolve();

/** A turn of the event loop for one piece of any session in this thread. */
export function turnToCopy(): Promise<void> {
  lastTurn = lastTurn.then(nextTurn);
  return lastTurn;
}

/**
 * Copies in short turns of the event loop.
 * @throws SardonyxError ABORTED between two pieces; INVALID_ARGUMENT if memory is detached meanwhile
 */
export async function copyInPieces(copies: readonly Copy[], signal?: AbortSignal): Promise<void> {
  const slice = new TimeSlice(SLICE_MILLISECONDS);
  let left = 0;
  for (const { from, to } of copies) {
    const { length } = to;
    for (let at = 0, end = 0; at < length; at = end) {
      if (left === 0 || slice.isSpent()) {
        await turnToCopy();
        if (signal?.aborted) throw aborted(signal);
        slice.begin();
        left = PIECE;
      }
      if (from.length !== length || to.length !== length) throw gone();
      end = Math.min(at + Math.min(left, STRIDE), length);
      to.set(from.subarray(at, end), at);
      left -= end - at;
    }
  }
}

const gone = () =>
  new SardonyxError('INVALID_ARGUMENT', 'the buffer of an array was transferred or shrunk while it was being copied');
