import { aborted } from '../../../base/aborted.js';
import { SardonyxError } from '../../../base/errors.js';
import type { Model } from '../../../model/document/model.js';
import type { InferenceSession } from '../../../session/inference-session.js';
import { numbersOf } from '../../../tensor/numbers.js';
import { isTensorValue } from '../../../tensor/tensor-value.js';
import { fromExternalData } from '../../external-data.js';
import { saveModel } from '../../save-model.js';
import type { Watch } from '../progress.js';
import type { Samples } from '../weights/gram-matrices.js';

/** What a value was in one sample. */
export type See = (name: string, numbers: ArrayLike<number>) => void;

/** Runs a model whose values can be seen, and lets go of it in the end. */
export async function withSession<T>(
  model: Model,
  names: readonly string[],
  use: (session: InferenceSession) => Promise<T>,
): Promise<T> {
  const { InferenceSession } = await import('../../../session/inference-session.js');
  const bytes = await saveModel(await fromExternalData(model));
  const session = await InferenceSession.create(bytes, { extraOutputs: names });
  try {
    return await use(session);
  } finally {
    await session.release();
  }
}

/** Shows the values of all samples, one after the other; none is kept. */
export async function eachValue(
  session: InferenceSession,
  names: readonly string[],
  samples: Samples,
  stage: string,
  { signal, onProgress }: Watch,
  see: See,
): Promise<void> {
  const total = Array.isArray(samples) ? samples.length : undefined;
  let done = 0;
  for await (const feeds of samples) {
    if (signal?.aborted) throw aborted(signal, 'calibrating');
    onProgress?.({ stage, done, total: total ?? done, node: '' });
    const results: Readonly<Record<string, unknown>> = await session.run(feeds, names, signal ? { signal } : {});
    for (const name of names) {
      const value = results[name];
      if (isTensorValue(value)) see(name, numbersOf(value));
    }
    done++;
  }
  if (done === 0) throw noSamples();
  onProgress?.({ stage, done, total: done, node: '' });
}

const noSamples = () =>
  new SardonyxError('INVALID_ARGUMENT', 'feeds has no samples; it must be one that can be gone through again');
