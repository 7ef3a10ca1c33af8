import type { ModelProto } from '../../../build/onnx.js';
import { SardonyxError } from '../../base/errors.js';
import type { Model } from '../../graph/graph.js';
import { loadOperators } from '../../groups/load-operators.js';
import { bindOpsets } from '../../model/bind-opsets.js';
import type { ExternalData } from '../../model/external-data.js';
import { type DecodedModel, modelOf } from '../../model/read-model.js';
import { inlineFunctions } from '../../optimize/inline-functions.js';
import { type Layout, layoutOf } from './layout.js';
import { readable, type Unread } from './readable.js';

/** External data without a file. Only shape arithmetic reads them, and infers less without them. */
const NOT_AT_HAND: ExternalData = (path) => () => {
  throw new SardonyxError('EXTERNAL_DATA', `the external data file ${path} is not available`);
};

/** A model and its external data. */
export interface Source {
  readonly proto: ModelProto;
  readonly externalData?: ExternalData | undefined;
}

/** Reads a model with operators loaded and functions inlined, and returns its original layout, too. */
export async function openProto(
  { proto, externalData = NOT_AT_HAND }: Source,
  unread: Unread,
): Promise<{ readonly model: Model; readonly layout: Layout }> {
  const sound = readable(proto, externalData, unread);
  if (!sound.graph) throw new SardonyxError('INVALID_MODEL', 'the model has no graph');
  const model = modelOf(sound as DecodedModel, externalData);
  const layout = layoutOf(sound.graph, model.graph);
  await loadOperators(model);
  bindOpsets(model.graph, model.opsets);
  inlineFunctions(model);
  return { model, layout };
}
