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
 * The part of a model between some of its values, which become its inputs and outputs: their types are those that the
 * model says, or that follow. Where no inputs are named, it begins with those of the model. It has the constants, functions and notes that belong to it; what is said about training,
 * which is about the whole, is left out.
 */
export async function extractModel(
  model: Model,
  from: readonly string[] | undefined,
  outputs: readonly string[],
): Promise<Model> {
  const graph = graphOf(model);
  if (outputs.length === 0) throw refused('name one output at least');
  refuseUnknown(graph, outputs, 'an output is named');
  const inputs = from ?? inputsFor(graph, outputs);
  refuseUnknown(graph, inputs, 'an input is named');
  refuseMissing(graph, inputs, outputs);
  const input = [...(await borderOf(model, inputs)), ...oldDefaults(model.proto, inputs, outputs)];
  const output = await borderOf(model, outputs);
  return withProto(model, withGraph(model.proto, between(graph, input, output, freshValues(model.proto))));
}

/** The graph's inputs that some outputs follow from. */
function inputsFor(graph: GraphProto, outputs: readonly string[]): string[] {
  const { names } = neededFor(graph, outputs);
  return inputsOf(graph).filter((name) => names.has(name));
}

function refuseUnknown(graph: GraphProto, names: readonly string[], what: string): void {
  refuseRepeated(names, what);
  const known = definedIn(graph);
  for (const name of names) if (!known.has(name)) throw unknownValue(name, graph);
}

/** Until IR version 3 constants are inputs, too. */
function oldDefaults(proto: ModelProto, inputs: readonly string[], outputs: readonly string[]): ValueInfoProto[] {
  const graph = proto.graph as GraphProto;
  if (toNumber(proto.irVersion) >= 4) return [];
  const { names } = neededFor(graph, outputs, new Set(inputs));
  return graph.input.filter(({ name }) => names.has(name) && !inputs.includes(name));
}

/** A model with another graph, and the functions that this calls. */
export function withGraph(proto: ModelProto, graph: GraphProto): ModelProto {
  const called = functionsCalledIn(bodiesIn(graph), functionsByKey(proto));
  const functions = filtered(proto.functions, (definition) => called.has(keyOf(definition)));
  return withChanges(proto, { graph, functions, trainingInfo: filtered(proto.trainingInfo, () => false) });
}
