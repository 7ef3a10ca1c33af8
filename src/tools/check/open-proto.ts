import type { ModelProto } from '../../../build/onnx.js';
import { SardonyxError } from '../../base/errors.js';
import type { Model } from '../../graph/graph.js';
import { loadOperators } from '../../groups/load-operators.js';
import { bindOpsets } from '../../model/bind-opsets.js';
import type { ExternalData } from '../../model/external-data.js';
import { type DecodedModel, modelOf } from '../../model/read-model.js';
import { inlineFunctions } from '../../optimize/inline-functions.js';

/** External data that are not at hand: nobody needs to read them but the rules of shape arithmetic, which then know less. */
const NOT_AT_HAND: ExternalData = (path) => () => {
  throw new SardonyxError('EXTERNAL_DATA', `${path} is not at hand`);
};

/** The runtime's view of a model, with its operators at hand and functions in place of their calls. */
export async function openProto(proto: ModelProto, externalData: ExternalData = NOT_AT_HAND): Promise<Model> {
  const model = modelOf(proto as DecodedModel, externalData);
  await loadOperators(model);
  bindOpsets(model.graph, model.opsets);
  inlineFunctions(model);
  return model;
}
