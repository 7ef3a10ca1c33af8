import type { FunctionProto, NodeProto } from '../../../../build/onnx.js';
import { withChanges } from '../../../model/document/changed.js';
import type { Model } from '../../../model/document/model.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import { withProto } from '../../model-of.js';
import { parseFunction } from '../../text.js';
import { subgraphsOf } from '../bodies.js';
import { removeUnread } from '../edit/dead.js';
import { edit } from '../edit/edit.js';
import { type EditedGraph, type EditedValue, graphsUnder } from '../edit/graph.js';
import { functionsByKey } from '../functions.js';
import { agree } from '../inline/agree.js';
import { addedImports, opsetsOf } from '../inline/opsets.js';
import { refused } from '../refuse.js';
import type { Bindings } from './bindings.js';
import { constantsIn } from './constants.js';
import { matchAt, type Pattern, patternOf } from './match.js';

/**
 * Replaces each occurrence of a pattern in a model's graph, subgraphs and functions. Pattern and replacement are
 * functions with the same number of inputs and outputs, as messages or in ONNX's text syntax. Inputs of commutative
 * operators match in any order; a Constant of the pattern matches any constant with the same contents; an attribute
 * that refers to an attribute of the function (`axis: int = @axis`) matches any value, which the replacement can use
 * under the same name. Values inside the pattern that other nodes read are kept.
 * @throws SardonyxError INVALID_ARGUMENT if the pattern and the replacement do not fit
 */
export async function replaceSubgraph(
  model: Model,
  pattern: string | FunctionProto,
  replacement: string | FunctionProto,
): Promise<Model> {
  const [from, to] = [pattern, replacement].map((given) =>
    typeof given === 'string' ? parseFunction(given) : given,
  ) as [FunctionProto, FunctionProto];
  refuseUnfit(model, from, to);
  const wanted = patternOf(from);
  const most = Math.max(1, ...[...wanted.constants.values()].map(({ dims }) => elementCount(dims)));
  let count = 0;
  const edited = await edit(model, async (graph, functions) => {
    for (const body of [graph, ...functions]) {
      const contents = wanted.constants.size > 0 ? await constantsIn(body, most) : new Map();
      for (const part of graphsUnder(body)) count += replaceIn(part, wanted, to, contents);
    }
  });
  if (count === 0) return model;
  const { proto } = edited;
  const opsets = new Map([...opsetsOf(to.opsetImport), ...opsetsOf(proto.opsetImport)]);
  return withProto(model, withChanges(proto, { opsetImport: addedImports(proto.opsetImport, { opsets }) }));
}

function refuseUnfit({ proto }: Model, from: FunctionProto, to: FunctionProto): void {
  for (const field of ['input', 'output'] as const)
    if (from[field].length !== to[field].length)
      throw refused(`the pattern has ${from[field].length} ${field}s, but the replacement has ${to[field].length}`);
  const known = functionsByKey(proto);
  for (const definition of [from, to]) {
    if (definition.node.some((node) => subgraphsOf(node).length > 0))
      throw refused('patterns and replacements cannot contain nodes with subgraphs');
    if (!agree(definition, opsetsOf(proto.opsetImport), known))
      throw refused(`"${definition.name}" and the model import different opsets of its operators`);
  }
  const made = patternOf(from).producers;
  for (const name of from.output)
    if (!made.has(name)) throw refused(`no node of the pattern produces the output "${name}"`);
  if (patternOf(from).nodes.length === 0) throw refused('the pattern contains only constants');
}

/** Replaces matches among the original nodes of a graph, and returns their number. */
function replaceIn(
  graph: EditedGraph,
  pattern: Pattern,
  replacement: FunctionProto,
  contents: Parameters<typeof matchAt>[2],
): number {
  let count = 0;
  const present = new Set(graph.nodes);
  for (const node of [...graph.nodes]) {
    if (!graph.nodes.includes(node)) continue;
    const found = matchAt(node, pattern, contents);
    const isHere = found && [...found.nodes.values()].every((part) => present.has(part) && part.graph === graph);
    if (!isHere) continue;
    put(graph, pattern, replacement, found);
    count++;
  }
  return count;
}

function put(graph: EditedGraph, { definition }: Pattern, replacement: FunctionProto, found: Bindings): void {
  const before = new Set(graph.nodes);
  const place = Math.min(...[...found.nodes.values()].map((node) => graph.nodes.indexOf(node)));
  const outputs = definition.output.map((name) => found.values.get(name) as EditedValue);
  const values = new Map(
    replacement.input.map((name, i) => [name, found.values.get(definition.input[i] ?? '') ?? null]),
  );
  for (const [i, name] of replacement.output.entries()) if (!values.has(name)) values.set(name, outputs[i] ?? null);
  for (const node of replacement.node) addNode(graph, node, values, found);
  for (const [i, name] of replacement.output.entries()) {
    const [output, made] = [outputs[i], values.get(name)];
    if (output && made && output !== made) output.replaceBy(made);
  }
  const operands = [...found.nodes.values()].flatMap((node) => node.operands);
  for (const node of found.nodes.values()) node.remove();
  for (const value of operands) if (value) removeUnread(value);
  // New nodes take the place of the first replaced node, so that their readers follow.
  const added = graph.nodes.filter((node) => !before.has(node));
  graph.nodes.splice(graph.nodes.length - added.length);
  graph.nodes.splice(place, 0, ...added);
}

function addNode(
  graph: EditedGraph,
  node: NodeProto,
  values: Map<string, EditedValue | null>,
  { attributes }: Bindings,
): void {
  const operand = (name: string) => {
    const value = values.get(name) ?? graph.newValue(name);
    if (!values.has(name)) values.set(name, value);
    return value;
  };
  const made = graph.addNode({ op: node.opType, domain: node.domain, name: node.name, outputs: [] });
  made.inputs = node.input.map((name) => (values.get(name) === null ? null : name ? operand(name) : null));
  made.outputs = node.output.map((name) => (name ? operand(name) : null));
  for (const attribute of node.attribute) {
    const bound = attribute.refAttrName ? attributes.get(attribute.refAttrName) : attribute;
    if (bound) made.protos.set(attribute.name, withChanges(bound, { name: attribute.name }));
  }
}
