import type { FunctionProto, GraphProto } from '../../../../build/onnx.js';
import { type Body, definedIn, graphsOf, inputsOf, isGraph, outputsOf } from '../bodies.js';
import { EditedGraph, EditedNode, EditedValue, type Surroundings } from './graph.js';

/** Reads a graph or function for an edit. */
export function readBody(source: Body, surroundings: Surroundings, parent?: EditedGraph): EditedGraph {
  const graph = new EditedGraph(source, surroundings, parent);
  for (const name of definedIn(source)) graph.originals.set(name, new EditedValue(graph, name));
  const own = (name: string) => graph.originals.get(name) as EditedValue;
  graph.inputs.push(...inputsOf(source).map(own));
  if (isGraph(source)) readConstants(graph, source);
  for (const info of infosOf(source)) {
    const value = graph.originals.get(info.name);
    if (value) value.info = info;
  }
  for (const proto of source.node) {
    const node = new EditedNode(graph, proto);
    graph.nodes.push(node);
    node.outputs = proto.output.map((name) => (name ? own(name) : null));
  }
  for (const node of graph.nodes) readNode(node);
  graph.outputs.push(...outputsOf(source).map((name) => resolved(graph, name)));
  return graph;
}

const infosOf = (source: Body) =>
  isGraph(source) ? [...source.valueInfo, ...source.output, ...source.input] : (source as FunctionProto).valueInfo;

function readConstants(graph: EditedGraph, { initializer, sparseInitializer }: GraphProto): void {
  for (const [name, constant] of [
    ...initializer.map((tensor) => [tensor.name, tensor] as const),
    ...sparseInitializer.map((sparse) => [sparse.values?.name ?? '', sparse] as const),
  ]) {
    const value = graph.originals.get(name);
    if (!value) continue;
    value.constant = constant;
    graph.constants.push(value);
  }
}

function readNode(node: EditedNode): void {
  const { graph, source } = node;
  node.inputs = source.input.map((name) => (name ? resolved(graph, name) : null));
  for (const attribute of source.attribute) {
    const graphs = graphsOf(attribute).map((inner) => readBody(inner, graph.surroundings, graph));
    if (graphs.length > 0) node.subgraphs.set(attribute.name, graphs);
  }
}

/** The value with a name in the innermost graph that has it. Missing values are reported at the end of the edit. */
function resolved(graph: EditedGraph, name: string): EditedValue {
  for (let around: EditedGraph | undefined = graph; around; around = around.parent) {
    const value = around.originals.get(name);
    if (value) return value;
  }
  const missing = new EditedValue(graph, name);
  graph.originals.set(name, missing);
  return missing;
}
