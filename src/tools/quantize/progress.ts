import { aborted } from '../../base/aborted.js';
import { nextTurn } from '../../base/turns.js';

export interface QuantizeProgress {
  readonly stage: string;
  readonly done: number;
  readonly total: number;
  /** What is being worked on. */
  readonly node: string;
}

export interface Watch {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: QuantizeProgress) => void;
}

/** Does one thing after the other, says so, and gives the event loop a turn between them. */
export async function eachOf<T>(
  stage: string,
  items: readonly T[],
  nameOf: (item: T) => string,
  { signal, onProgress }: Watch,
  work: (item: T) => Promise<void> | void,
): Promise<void> {
  for (const [done, item] of items.entries()) {
    if (signal?.aborted) throw aborted(signal, 'quantising');
    onProgress?.({ stage, done, total: items.length, node: nameOf(item) });
    await work(item);
    await nextTurn();
  }
  onProgress?.({ stage, done: items.length, total: items.length, node: '' });
}
