import type { GraphProto, ModelProto, ValueInfoProto } from '../../../build/onnx.js';
import { withChanges } from '../../model/document/changed.js';
import type { Model } from '../../model/document/model.js';
import { toNumber } from '../../model/int64.js';
import { withProto } from '../model-of.js';
import { bodiesIn, definedIn, inputsOf } from './bodies.js';
import { borderOf } from './border.js';
import { filtered } from './filtered.js';
import { functionsByKey, functionsCalledIn, keyOf } from './functions.js';
import { freshValues } from './names.js';
import { neededFor } from './needed.js';
import { graphOf, refused, refuseRepeated, unknownValue } from './refuse.js';
import { refuseMissing } from './refuse-missing.js';
import { between } from './restrict.js';

/**
 * Extracts the part of a model between the given values, which become its inputs and outputs with their declared or
 * inferred types. Without inputs, the part starts at the model's own inputs. It contains the constants, functions and
 * metadata it needs, but no training information.
 * @throws SardonyxError INVALID_ARGUMENT if a value does not exist or the outputs depend on values outside the part
 */
export async function extractModel(
  model: Model,
  from: readonly string[] | undefined,
  outputs: readonly string[],
): Promise<Model> {
  const graph = graphOf(model);
  if (outputs.length === 0) throw refused('outputs: expected at least one name');
  refuseUnknown(graph, outputs, 'outputs');
  const inputs = from ?? inputsFor(graph, outputs);
  refuseUnknown(graph, inputs, 'inputs');
  refuseMissing(graph, inputs, outputs);
  const input = [...(await borderOf(model, inputs)), ...oldDefaults(model.proto, inputs, outputs)];
  const output = await borderOf(model, outputs);
  return withProto(model, withGraph(model.proto, between(graph, input, output, freshValues(model.proto))));
}

/** The graph inputs that some outputs depend on. */
function inputsFor(graph: GraphProto, outputs: readonly string[]): string[] {
  const { names } = neededFor(graph, outputs);
  return inputsOf(graph).filter((name) => names.has(name));
}

function refuseUnknown(graph: GraphProto, names: readonly string[], what: string): void {
  refuseRepeated(names, what);
  const known = definedIn(graph);
  for (const name of names) if (!known.has(name)) throw unknownValue(name, graph);
}

/** The declarations of constants, which are inputs before IR version 4. */
function oldDefaults(proto: ModelProto, inputs: readonly string[], outputs: readonly string[]): ValueInfoProto[] {
  const graph = proto.graph as GraphProto;
  if (toNumber(proto.irVersion) >= 4) return [];
  const { names } = neededFor(graph, outputs, new Set(inputs));
  return graph.input.filter(({ name }) => names.has(name) && !inputs.includes(name));
}

/** Replaces the graph of a model and keeps only the functions that it calls. */
export function withGraph(proto: ModelProto, graph: GraphProto): ModelProto {
  const called = functionsCalledIn(bodiesIn(graph), functionsByKey(proto));
  const functions = filtered(proto.functions, (definition) => called.has(keyOf(definition)));
  return withChanges(proto, { graph, functions, trainingInfo: filtered(proto.trainingInfo, () => false) });
}
