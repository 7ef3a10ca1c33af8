import { aborted } from '../../../base/aborted.js';
import { SardonyxError } from '../../../base/errors.js';
import type { Model } from '../../../model/document/model.js';
import type { Feeds } from '../../../session/feeds.js';
import type { InferenceSession } from '../../../session/inference-session.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import { fromExternalData } from '../../external-data.js';
import { saveModel } from '../../save-model.js';
import type { Watch } from '../progress.js';
import type { Samples } from '../weights/gram-matrices.js';

export type Values = Readonly<Record<string, TensorValue>>;

/** Creates a session that also returns intermediate values. */
export async function opened(model: Model, names: readonly string[] = []): Promise<InferenceSession> {
  const { InferenceSession } = await import('../../../session/inference-session.js');
  const outputs = new Set(model.proto.graph?.output.map(({ name }) => name));
  const extraOutputs = [...new Set(names)].filter((name) => !outputs.has(name));
  return InferenceSession.create(await saveModel(await fromExternalData(model)), { extraOutputs });
}

/** Processes each sample, reports progress, and throws when aborted. */
export async function eachSample(
  samples: Samples,
  stage: string,
  { signal, onProgress }: Watch,
  work: (feeds: Feeds) => Promise<void>,
): Promise<void> {
  let done = 0;
  for await (const feeds of samples) {
    if (signal?.aborted) throw aborted(signal, 'the quantization');
    onProgress?.({ stage, done, total: Array.isArray(samples) ? samples.length : done, node: '' });
    await work(feeds);
    done++;
  }
  if (done > 0) return;
  throw new SardonyxError(
    'INVALID_ARGUMENT',
    'feeds contains no samples; pass an iterable that can be iterated several times, such as an array',
  );
}

/** Runs a model on all samples and passes the values of each to `visit`. They are not kept. */
export async function capturing(
  model: Model,
  names: readonly string[],
  samples: Samples,
  watch: Watch,
  visit: (values: Values) => void,
): Promise<void> {
  const session = await opened(model, names);
  try {
    await eachSample(samples, 'samples', watch, async (feeds) => visit((await session.run(feeds)) as Values));
  } finally {
    await session.release();
  }
}
