import type { GraphProto, ModelProto, NodeProto } from '../../../build/onnx.js';

const graphsIn = ({ attribute }: NodeProto): GraphProto[] =>
  attribute.flatMap(({ g, graphs }) => (g ? [g, ...graphs] : graphs));

/** The names that nodes and their subgraphs read. */
export function readBy(nodes: readonly NodeProto[], names = new Set<string>()): Set<string> {
  for (const node of nodes) {
    for (const name of node.input) names.add(name);
    for (const inner of graphsIn(node)) {
      for (const { name } of inner.output) names.add(name);
      readBy(inner.node, names);
    }
  }
  return names;
}

/** The names of all values in a model. */
export function namesIn({ graph, functions, trainingInfo }: ModelProto): Set<string> {
  const names = new Set<string>();
  const addNodes = (nodes: readonly NodeProto[]): void => {
    for (const node of nodes) {
      for (const name of [...node.input, ...node.output]) names.add(name);
      for (const inner of graphsIn(node)) addGraph(inner);
    }
  };
  const addGraph = ({ input, output, initializer, sparseInitializer, node }: GraphProto): void => {
    for (const { name } of [...input, ...output, ...initializer]) names.add(name);
    for (const { values } of sparseInitializer) if (values) names.add(values.name);
    addNodes(node);
  };
  const graphs = [graph, ...trainingInfo.flatMap(({ initialization, algorithm }) => [initialization, algorithm])];
  for (const found of graphs) if (found) addGraph(found);
  for (const { node, input, output } of functions) {
    for (const name of [...input, ...output]) names.add(name);
    addNodes(node);
  }
  return names;
}

/** Adds a unique name based on `base` to `names` and returns it. */
export function fresh(base: string, names: Set<string>): string {
  let name = base;
  for (let i = 1; names.has(name); i++) name = `${base}_${i}`;
  names.add(name);
  return name;
}
