import { SardonyxError } from '../../../base/errors.js';
import { loadGroups } from '../../../groups/load-groups.js';
import type { Model } from '../../../model/document/model.js';
import { modelOf } from '../../model-of.js';
import { isGraphDef, type TensorFlowJSArtifacts } from './artifacts.js';
import { complete } from './complete.js';
import type { SignatureDef } from './graph-def.js';
import { writeGraphModel } from './graph-model.js';
import { writeLayersModel } from './layers-model.js';
import { type FromTensorFlowJSOptions, readArtifacts, type TensorFlowJSSource } from './read-artifacts.js';
import { weightsOf } from './weights.js';

export async function translated(source: TensorFlowJSSource, options: FromTensorFlowJSOptions): Promise<Model> {
  const artifacts = await readArtifacts(source, options);
  await loadGroups();
  try {
    return modelOf(written(artifacts));
  } catch (thrown) {
    throw malformed(thrown);
  }
}

function written(artifacts: TensorFlowJSArtifacts): Uint8Array {
  const { modelTopology: topology, signature, generatedBy, convertedBy } = artifacts;
  const weights = weightsOf(artifacts);
  const graph = isGraphDef(topology)
    ? writeGraphModel(topology, signature as SignatureDef | undefined, weights)
    : writeLayersModel(topology, weights);
  const producer = [generatedBy, convertedBy].filter(Boolean).join(', ') || 'TensorFlow.js';
  return complete(graph, producer, metadataOf(artifacts));
}

/** Converts an error that malformed JSON causes. */
function malformed(thrown: unknown): SardonyxError {
  if (thrown instanceof SardonyxError && thrown.code !== 'INTERNAL') return thrown;
  const { message } = thrown as Error;
  return new SardonyxError('INVALID_MODEL', `invalid TensorFlow.js model: ${message}`, {}, { cause: thrown });
}

/** Converts metadata: strings stay as they are, all else becomes JSON. */
const metadataOf = ({ userDefinedMetadata = {} }: TensorFlowJSArtifacts): Map<string, string> =>
  new Map(
    Object.entries(userDefinedMetadata ?? {}).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
