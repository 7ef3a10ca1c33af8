import { aborted } from '../../base/aborted.js';
import { nextTurn } from '../../base/turns.js';
import type { QuantizeOptions } from './options.js';

export type Watch = Pick<QuantizeOptions, 'signal' | 'onProgress'>;

/** Processes items in turn, reports progress, and yields to the event loop between them. */
export async function eachOf<T>(
  stage: string,
  items: readonly T[],
  nameOf: (item: T) => string,
  { signal, onProgress }: Watch,
  work: (item: T) => Promise<void> | void,
): Promise<void> {
  for (const [done, item] of items.entries()) {
    if (signal?.aborted) throw aborted(signal, 'the quantization');
    onProgress?.({ stage, done, total: items.length, node: nameOf(item) });
    await work(item);
    await nextTurn();
  }
  onProgress?.({ stage, done: items.length, total: items.length, node: '' });
}
