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
  const { modelTopology: topology, signature, generatedBy, convertedBy } = artifacts;
  const weights = weightsOf(artifacts);
  const written = isGraphDef(topology)
    ? writeGraphModel(topology, signature as SignatureDef | undefined, weights)
    : writeLayersModel(topology, weights);
  const producer = [generatedBy, convertedBy].filter(Boolean).join(', ') || 'TensorFlow.js';
  return modelOf(complete(written, producer, metadataOf(artifacts)));
}

/** Texts as they are, all else as JSON. */
const metadataOf = ({ userDefinedMetadata = {} }: TensorFlowJSArtifacts): Map<string, string> =>
  new Map(
    Object.entries(userDefinedMetadata ?? {}).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
