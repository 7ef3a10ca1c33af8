import { aborted } from '../../../base/aborted.js';
import { SardonyxError } from '../../../base/errors.js';
import type { Model } from '../../../model/document/model.js';
import type { InferenceSession } from '../../../session/inference-session.js';
import { numbersOf } from '../../../tensor/numbers.js';
import { Tensor } from '../../../tensor/tensor.js';
import { isTensorValue } from '../../../tensor/tensor-value.js';
import { fromExternalData } from '../../external-data.js';
import { saveModel } from '../../save-model.js';
import type { Watch } from '../progress.js';
import type { Samples } from '../weights/gram-matrices.js';

/** Receives a value of one sample. */
export type See = (name: string, numbers: ArrayLike<number>) => void;

/** Runs a function with a session that returns the named values, and releases it. */
export async function withSession<T>(
  model: Model,
  names: readonly string[],
  use: (session: InferenceSession) => Promise<T>,
): Promise<T> {
  const { InferenceSession } = await import('../../../session/inference-session.js');
  const session = await InferenceSession.create(await saveModel(await fromExternalData(model)), {
    extraOutputs: names,
  });
  try {
    return await use(session);
  } finally {
    await session.release();
  }
}

/** Passes the values of each sample to `see`. None is kept. */
export async function eachValue(
  session: InferenceSession,
  names: readonly string[],
  samples: Samples,
  stage: string,
  { signal, onProgress }: Watch,
  see: See,
): Promise<void> {
  const total = Array.isArray(samples) ? samples.length : undefined;
  const run = runner(session, names, signal);
  let done = 0;
  for await (const feeds of samples) {
    if (signal?.aborted) throw aborted(signal, 'the calibration');
    onProgress?.({ stage, done, total: total ?? done, node: '' });
    const results = await run(feeds);
    for (const name of names) {
      const value = results[name];
      if (isTensorValue(value)) see(name, numbersOf(value));
    }
    done++;
  }
  if (done === 0) throw noSamples();
  onProgress?.({ stage, done, total: done, node: '' });
}

type Feeds = Samples extends Iterable<infer F> | AsyncIterable<infer F> ? F : never;
type Found = Readonly<Record<string, unknown>>;

const sizesIn = (feeds: Feeds): string =>
  Object.entries(feeds)
    .map(([name, value]) => `${name} ${isTensorValue(value) ? value.dims : ''}`)
    .join();

/**
 * Runs a session into the arrays of the previous run while input sizes stay the same; otherwise, the values of three
 * runs were in memory until garbage collection. If a value does not fit because its size depends on data, later runs
 * allocate new arrays.
 */
function runner(session: InferenceSession, names: readonly string[], signal: AbortSignal | undefined) {
  const options = signal ? { signal } : {};
  const fresh = (feeds: Feeds): Promise<Found> => session.run(feeds, names, options);
  let isSteady = true;
  let last = { sizes: '', found: {} as Found };
  return async (feeds: Feeds): Promise<Found> => {
    const sizes = sizesIn(feeds);
    const found = await (isSteady && sizes === last.sizes
      ? session.run(feeds, targetsIn(last.found, names), options).catch(() => {
          isSteady = false;
          return fresh(feeds);
        })
      : fresh(feeds));
    last = { sizes, found: isSteady ? found : {} };
    return found;
  };
}

const targetsIn = (found: Found, names: readonly string[]): Record<string, Tensor | null> =>
  Object.fromEntries(names.map((name) => [name, found[name] instanceof Tensor ? found[name] : null]));

const noSamples = () =>
  new SardonyxError(
    'INVALID_ARGUMENT',
    'feeds contains no samples; pass an iterable that can be iterated several times, such as an array',
  );
