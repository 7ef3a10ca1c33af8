import { withChanges } from '../../model/document/changed.js';
import type { Model } from '../../model/document/model.js';
import { withProto } from '../model-of.js';
import { definedIn, outputsOf } from './bodies.js';
import { borderOf } from './border.js';
import { filtered } from './filtered.js';
import { graphOf, refuseRepeated, unknownValue } from './refuse.js';

/**
 * Adds values of the main graph to a model's outputs. Their types are declared or inferred.
 * @throws SardonyxError INVALID_ARGUMENT if a value does not exist or its type is unknown
 */
export async function addOutputs(model: Model, names: readonly string[]): Promise<Model> {
  const graph = graphOf(model);
  refuseRepeated(names, 'names');
  const known = definedIn(graph);
  for (const name of names) if (!known.has(name)) throw unknownValue(name, graph);
  const added = names.filter((name) => !outputsOf(graph).includes(name));
  if (added.length === 0) return model;
  const output = [...graph.output, ...(await borderOf(model, added))];
  const valueInfo = filtered(graph.valueInfo, ({ name }) => !added.includes(name));
  return withProto(model, withChanges(model.proto, { graph: withChanges(graph, { output, valueInfo }) }));
}
