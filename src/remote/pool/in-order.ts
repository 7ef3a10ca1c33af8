import { reading } from '../../base/arguments.js';
import { SardonyxError } from '../../base/errors.js';
import { shown } from '../../base/shown.js';

type Source<T> = Iterable<T> | AsyncIterable<T>;

/**
 * Yields the results of `work` for all items, in order. At most `window` items are in progress or wait for the consumer, so that a slow
 * consumer slows down the source.
 */
export async function* inOrder<T, R>(
  items: Source<T>,
  window: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R, void, undefined> {
  const source = iteratorOf(items);
  const results: Promise<IteratorResult<R, void>>[] = [];
  let turn: Promise<unknown> = Promise.resolve();
  const take = () => {
    const item = turn.then(() => source.next());
    turn = item;
    const result = item.then(
      async ({ done, value }): Promise<IteratorResult<R, void>> =>
        done ? { done: true, value: undefined } : { done: false, value: await work(value) },
    );
    result.catch(() => {});
    results.push(result);
  };
  let finished = false;
  try {
    for (;;) {
      while (results.length < window) take();
      const { done, value } = await (results.shift() as Promise<IteratorResult<R, void>>);
      if (done) {
        finished = true;
        return;
      }
      yield value;
    }
  } finally {
    if (!finished) Promise.resolve(source.return?.()).catch(() => {});
  }
}

function iteratorOf<T>(items: Source<T>): Iterator<T> | AsyncIterator<T> {
  const source = (items ?? {}) as Partial<AsyncIterable<T> & Iterable<T>>;
  const iterator = reading('the feeds', () => source[Symbol.asyncIterator]?.() ?? source[Symbol.iterator]?.());
  if (iterator) return iterator;
  throw new SardonyxError('INVALID_ARGUMENT', `feeds must be an iterable; got ${shown(items)}`);
}
