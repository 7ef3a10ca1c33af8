import type { GraphProto, ModelProto } from '../../../build/onnx.js';
import { SardonyxError } from '../../base/errors.js';
import type { Model } from '../../graph/graph.js';
import { loadOperators } from '../../groups/load-operators.js';
import { bindOpsets } from '../../model/bind-opsets.js';
import type { ExternalData } from '../../model/external-data.js';
import { type DecodedModel, modelOf } from '../../model/read-model.js';
import { inlineFunctions } from '../../optimize/inline-functions.js';
import { type Layout, layoutOf } from './layout.js';
import { LEFT, readable, type Unread } from './readable.js';

/** External data that are not at hand: nobody needs to read them but the rules of shape arithmetic, which then know less. */
const NOT_AT_HAND: ExternalData = (path) => () => {
  throw new SardonyxError('EXTERNAL_DATA', `${path} is not at hand`);
};

const atHand =
  (given: ExternalData): ExternalData =>
  (path, offset, length) =>
    (path === LEFT ? NOT_AT_HAND : given)(path, offset, length);

/** The runtime's view of a model, with its operators at hand and functions in place of their calls. */
export async function openProto(
  proto: ModelProto,
  given: ExternalData = NOT_AT_HAND,
  unread: Unread,
): Promise<{ readonly model: Model; readonly layout: Layout }> {
  const externalData = atHand(given);
  const model = modelOf(readable(proto, externalData, unread) as DecodedModel, externalData);
  const layout = layoutOf(proto.graph as GraphProto, model.graph);
  await loadOperators(model);
  bindOpsets(model.graph, model.opsets);
  inlineFunctions(model);
  return { model, layout };
}
