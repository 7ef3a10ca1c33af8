import type { Model } from '../../../model/document/model.js';
import { graphModelOf } from './graph-model.js';
import type { TensorFlowJSModel } from './model.js';

/** The bytes of a weight file, as in the TensorFlow.js converter: browsers can cache files of this size. */
const SHARD = 2 ** 22;

export async function translated(model: Model): Promise<TensorFlowJSModel> {
  const { nodes, weights, signature } = await graphModelOf(model);
  const weightData = joined(weights.parts);
  const head = {
    format: 'graph-model',
    generatedBy: model.proto.producerName || 'ONNX',
    convertedBy: 'sardonyx',
    signature,
    userDefinedMetadata: Object.fromEntries(model.proto.metadataProps.map(({ key, value }) => [key, value])),
    modelTopology: { node: nodes, library: {}, versions: { producer: 1205, minConsumer: 12 } },
  };
  const shards = Array.from({ length: Math.ceil(weightData.length / SHARD) }, (_, i) =>
    weightData.subarray(i * SHARD, (i + 1) * SHARD),
  );
  const paths = shards.map((_, i) => `group1-shard${i + 1}of${shards.length}.bin`);
  const json = JSON.stringify({ ...head, weightsManifest: [{ paths, weights: weights.specs }] });
  const files = new Map([
    ['model.json', new TextEncoder().encode(json)],
    ...shards.map((shard, i): [string, Uint8Array] => [paths[i] as string, shard]),
  ]);
  return { ...head, weightSpecs: weights.specs, weightData: weightData.buffer, files };
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    all.set(part, offset);
    offset += part.length;
  }
  return all;
}
