import type { GraphProto, NodeProto } from '../../../build/onnx.js';
import { hasNamedBorders } from '../../graph/named-borders.js';
import { changedList, withChanges } from '../../model/document/changed.js';
import type { Model } from '../../model/document/model.js';
import { withProto } from '../model-of.js';
import { bodiesOf, definedIn, inputsOf, outputsOf, withSubgraphs } from '../surgery/bodies.js';
import { freshNames, valueNames } from '../surgery/names.js';
import { graphOf } from '../surgery/refuse.js';
import { byTable, renamed } from '../surgery/rename.js';

/**
 * Makes value names unique across graphs, so that values can move between them. Names that an operator reads are kept.
 */
export function withUniqueNames(model: Model): Model {
  const fresh = freshNames(valueNames(bodiesOf(model.proto)));
  const taken = new Set<string>();
  const unique = (graph: GraphProto, keepsBorders: boolean): GraphProto => {
    const borders = new Set(keepsBorders ? [...inputsOf(graph), ...outputsOf(graph)] : []);
    const names = [...definedIn(graph)].filter((name) => !borders.has(name));
    const table = new Map(names.filter((name) => taken.has(name)).map((name) => [name, fresh(name)]));
    for (const name of names) taken.add(name);
    const named = table.size > 0 ? renamed(graph, byTable(table)) : graph;
    const inside = (node: NodeProto) =>
      withSubgraphs(node, (inner) => unique(inner, hasNamedBorders(node.domain, node.opType)));
    return withChanges(named, { node: changedList(named.node, inside) });
  };
  return withProto(model, withChanges(model.proto, { graph: unique(graphOf(model), false) }));
}
