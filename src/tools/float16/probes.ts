import type { GraphProto, NodeProto, TensorProto } from '../../../build/onnx.js';
import { aborted } from '../../base/aborted.js';
import { SardonyxError } from '../../base/errors.js';
import { withFields } from '../../model/document/changed.js';
import type { Model } from '../../model/document/model.js';
import { numbersOf } from '../../tensor/numbers.js';
import type { TensorValue } from '../../tensor/tensor-value.js';
import { fromExternalData } from '../external-data.js';
import { withProto } from '../model-of.js';
import type { Watch } from '../quantize/progress.js';
import type { Samples } from '../quantize/weights/gram-matrices.js';
import { saveModel } from '../save-model.js';

/** Nodes that measure a value of a model, and the numbers that come of it. */
export interface Probe {
  readonly nodes: readonly NodeProto[];
  readonly constants?: readonly TensorProto[];
  /** Names of what has one number. */
  readonly results: readonly string[];
}

/** Runs a model on all samples, and gives the numbers of each probe, one list a sample. */
export async function* measured<K>(
  model: Model,
  probes: ReadonlyMap<K, Probe>,
  samples: Samples,
  { signal, onProgress }: Watch,
): AsyncGenerator<ReadonlyMap<K, number[]>> {
  const { InferenceSession } = await import('../../session/inference-session.js');
  const graph = model.proto.graph as GraphProto;
  const all = [...probes.values()];
  const probed = withFields(graph, {
    node: [...graph.node, ...all.flatMap(({ nodes }) => nodes)],
    initializer: [...graph.initializer, ...all.flatMap(({ constants = [] }) => constants)],
  });
  const bytes = await saveModel(await fromExternalData(withProto(model, withFields(model.proto, { graph: probed }))));
  const session = await InferenceSession.create(bytes, {
    graphOptimizationLevel: 'disabled',
    extraOutputs: all.flatMap(({ results }) => results),
  });
  let done = 0;
  try {
    for await (const feeds of samples) {
      if (signal?.aborted) throw aborted(signal, 'measuring');
      onProgress?.({ stage: 'samples', done, total: Array.isArray(samples) ? samples.length : done, node: '' });
      done++;
      const found = await session.run(feeds);
      const numberOf = (name: string) => Number(numbersOf(found[name] as TensorValue)[0]);
      yield new Map([...probes].map(([key, { results }]) => [key, results.map(numberOf)]));
    }
  } finally {
    await session.release();
  }
  if (done > 0) return;
  throw new SardonyxError('INVALID_ARGUMENT', 'feeds has no samples; it must be one that can be gone through again');
}
