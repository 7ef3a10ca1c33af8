import type { Model } from '../../model/document/model.js';
import { typesOf, type ValueTypes } from '../infer/index.js';
import { isUnread, removeWithOperands } from './edit/dead.js';
import { edit } from './edit/edit.js';
import type { EditedGraph, EditedNode, EditedValue } from './edit/graph.js';
import { refused } from './refuse.js';

/** Chooses nodes of a model's graph, of the graphs in it and of its functions, which are in their order. */
export type ChooseNodes = (graph: EditedGraph, functions: readonly EditedGraph[]) => readonly EditedNode[];

/**
 * The model without some nodes, named by themselves or by what they make, or chosen, and without what only these needed. Who read the
 * one value that such a node made reads the first of its inputs that is of the same type.
 */
export async function removeNodes(model: Model, nodes: readonly string[] | ChooseNodes): Promise<Model> {
  const types = await typesOf(model);
  const choose: ChooseNodes = typeof nodes === 'function' ? nodes : (graph) => nodes.map((name) => nodeOf(graph, name));
  return edit(model, (graph, functions) => {
    const inFunctions = new Set(functions.flatMap(({ allNodes }) => allNodes));
    // The same names are other values in functions, of which types are known where they say them.
    for (const node of choose(graph, functions)) removeNode(node, inFunctions.has(node) ? NO_TYPES : types);
  });
}

const NO_TYPES: ValueTypes = new Map();

function nodeOf(graph: EditedGraph, name: string): EditedNode {
  const found = graph.allNodes.filter((node) => node.name === name);
  const makers =
    found.length > 0 ? found : graph.allNodes.filter(({ outputs }) => outputs.some((v) => v?.name === name));
  const [node, another] = makers;
  if (!node) throw refused(`no node is called "${name}", and none makes a value of that name`);
  if (another) throw refused(`${makers.length} nodes are called "${name}": name them by what they make`);
  return node;
}

function removeNode(node: EditedNode, types: ValueTypes): void {
  const read = node.outputs.filter((value): value is EditedValue => value !== null && !isUnread(value));
  const [value, another] = read;
  const what = `${node.op} "${node.name || node.outputs[0]?.name}"`;
  if (another) throw refused(`${what} makes ${read.length} values that are read: one can be passed through`);
  if (value) {
    const input = node.inputs.find((operand) => operand && !operand.constant && mayReplace(operand, value, types));
    if (!input) throw refused(`${what} has no input of the type of what it makes: nothing can be passed through`);
    value.replaceBy(input);
  }
  removeWithOperands(node);
}

/** Whether types, as far as they are known, do not speak against it. */
function mayReplace(input: EditedValue, output: EditedValue, types: ValueTypes): boolean {
  const [a, b] = [input, output].map((value) => value.type ?? types.get(value.name));
  if (!a || !b) return true;
  if (a.kind !== 'tensor' || b.kind !== 'tensor') return a.kind === b.kind;
  const other = b.dims;
  const isOpen = (size: unknown) => typeof size !== 'number';
  return (
    a.element === b.element &&
    (!a.dims ||
      !other ||
      (a.dims.length === other.length &&
        a.dims.every((size, i) => isOpen(size) || isOpen(other[i]) || size === other[i])))
  );
}
