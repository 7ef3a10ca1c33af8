import {
  addOutputs,
  cleanUp,
  convertVersion,
  type EditedGraph,
  type EditedNode,
  edit,
  extractModel,
  type Model,
  removeNodes,
  type Size,
  setDims,
} from 'sardonyx/model';
import { ATTRIBUTE_VALUES } from '../edit/attribute-values.js';
import type { Change } from '../edit/change.js';
import { graphAt } from './graph-at.js';

type Kind = Change['kind'];
type Apply<K extends Kind> = (model: Model, change: Extract<Change, { kind: K }>) => Model | Promise<Model>;

const CHANGES: { readonly [K in Kind]: Apply<K> } = {
  'rename-node': (model, { graph, node, name }) =>
    inGraph(model, graph, (edited) => {
      nodeIn(edited, node).name = name;
    }),
  'delete-node': (model, { graph, node }) => removeNodes(model, [callable(model, graph, node)]),
  'set-attribute': (model, { graph, node, name, type, text }) =>
    inGraph(model, graph, (edited) => nodeIn(edited, node).setAttribute(name, ATTRIBUTE_VALUES[type](text))),
  'remove-attribute': (model, { graph, node, name }) =>
    inGraph(model, graph, (edited) => nodeIn(edited, node).setAttribute(name, undefined)),
  'rename-value': (model, { graph, value, name }) =>
    inGraph(model, graph, (edited) => {
      valueIn(edited, value).name = name;
    }),
  'add-output': (model, { value }) => addOutputs(model, [value]),
  'remove-output': (model, { value }) =>
    edit(model, ({ outputs }) => {
      const at = outputs.findIndex(({ name }) => name === value);
      if (at < 0) throw new Error(`"${value}" is no output`);
      if (outputs.length === 1) throw new Error(`"${value}" is the only output: a model without any computes nothing`);
      outputs.splice(at, 1);
    }),
  'set-dims': (model, { value, dims }) => setDims(model, { values: { [value]: dims.map(sizeOf) } }),
  extract: (model, { inputs, outputs }) => extractModel(model, inputs.length > 0 ? inputs : undefined, outputs),
  convert: (model, { opset }) => convertVersion(model, opset),
  'clean-up': (model) => cleanUp(model),
};

/** The model after a change; the very same where it changes nothing. */
export const applyChange = async (model: Model, change: Change): Promise<Model> =>
  (CHANGES[change.kind] as Apply<Kind>)(model, change as never);

const sizeOf = (text: string): Size => {
  const size = text.trim();
  return size === '?' ? '' : /^\d+$/.test(size) ? Number(size) : size;
};

const inGraph = (model: Model, path: string, change: (graph: EditedGraph) => void): Promise<Model> =>
  edit(model, (graph, functions) => change(editedAt(model, path, graph, functions)));

/** The graph at a path, as it is edited. */
function editedAt(model: Model, path: string, graph: EditedGraph, functions: readonly EditedGraph[]): EditedGraph {
  const steps = path.split('/').filter(Boolean);
  const isFunction = steps[0] === 'function';
  const place = model.proto.functions.findIndex(({ domain, name }) => `${domain}:${name}` === steps[1]);
  let found = isFunction ? functions[place] : graph;
  for (let i = isFunction ? 2 : 0; i < steps.length; i += 2)
    found = found?.nodes[Number(steps[i])]?.subgraphs.get(steps[i + 1] as string)?.[0];
  if (!found) throw new Error(`there is no graph ${path} any more`);
  return found;
}

function nodeIn({ nodes }: EditedGraph, index: number): EditedNode {
  const node = nodes[index];
  if (!node) throw new Error(`there is no node ${index} any more`);
  return node;
}

function valueIn(graph: EditedGraph, name: string) {
  const value = graph.value(name);
  if (!value) throw new Error(`there is no value "${name}" any more`);
  return value;
}

/** What tells a node from all others: what it makes, unless another is called so. */
function callable({ proto }: Model, path: string, index: number): string {
  if (path.startsWith('function/'))
    throw new Error('inside a function nodes are not deleted: enter the graph that calls it');
  const node = graphAt(proto, path).node[index];
  const made = node?.output.find(Boolean);
  if (!made) throw new Error(`node ${index} makes nothing by which it could be told from others`);
  return made;
}
