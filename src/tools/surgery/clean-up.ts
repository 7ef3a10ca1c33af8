import type { ModelProto, OperatorSetIdProto } from '../../../build/onnx.js';
import { changedList, withChanges } from '../../model/document/changed.js';
import type { Model } from '../../model/document/model.js';
import { withProto } from '../model-of.js';
import { domainOf } from '../schemas/domains.js';
import { type Body, bodiesIn, bodiesOf, isGraph, parametersOf } from './bodies.js';
import { isUnread, removeConstant, removeDead } from './edit/dead.js';
import { editNow } from './edit/edit-now.js';
import type { EditedGraph } from './edit/graph.js';
import { filtered } from './filtered.js';
import { functionsByKey, functionsCalledIn, keyOf } from './functions.js';

/**
 * Removes everything that does not affect the outputs: unused nodes, constants, functions and opset imports, and type
 * information of values that do not exist.
 */
export function cleanUp(model: Model): Model {
  const { trainingInfo } = model.proto;
  const bound = new Set(
    trainingInfo.flatMap(({ initializationBinding, updateBinding }) =>
      [...initializationBinding, ...updateBinding].flatMap(({ key, value }) => [key, value]),
    ),
  );
  const cleaned = editNow(model, (graph, functions) => {
    for (const body of [graph, ...functions]) removeDead(body);
    removeUnread(graph, bound);
  });
  return withProto(model, withoutUncalled(cleaned.proto));
}

/** Removes constants that no node, quantization annotation or training binding refers to. */
function removeUnread(graph: EditedGraph, bound: ReadonlySet<string>): void {
  const { source, constants, nodes } = graph;
  const noted = new Set(isGraph(source) ? source.quantizationAnnotation.flatMap(parametersOf) : []);
  for (const value of [...constants])
    if (isUnread(value) && !bound.has(value.name) && !noted.has(value.name)) removeConstant(value);
  for (const inner of nodes.flatMap((node) => [...node.subgraphs.values()].flat())) removeUnread(inner, bound);
}

function withoutUncalled(proto: ModelProto): ModelProto {
  const alone = withChanges(proto, { functions: [] });
  const called = functionsCalledIn(bodiesOf(alone), functionsByKey(proto));
  const functions = filtered(proto.functions, (definition) => called.has(keyOf(definition)));
  const kept = withChanges(proto, {
    functions: changedList(functions, (definition) =>
      withChanges(definition, { opsetImport: used(definition.opsetImport, bodiesIn(definition)) }),
    ),
  });
  return withChanges(kept, { opsetImport: used(kept.opsetImport, bodiesOf(kept)) });
}

/** The used imports. ai.onnx is always kept. */
function used(imports: OperatorSetIdProto[], bodies: Iterable<Body>): OperatorSetIdProto[] {
  const domains = new Set(['', ...[...bodies].flatMap(({ node }) => node.map(({ domain }) => domainOf(domain)))]);
  return filtered(imports, ({ domain }) => domains.has(domainOf(domain)));
}
