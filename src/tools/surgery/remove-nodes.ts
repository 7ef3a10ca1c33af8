import type { Model } from '../../model/document/model.js';
import { typesOf, type ValueTypes } from '../infer/index.js';
import { isUnread, removeWithOperands } from './edit/dead.js';
import { edit } from './edit/edit.js';
import type { EditedGraph, EditedNode, EditedValue } from './edit/graph.js';
import { refused } from './refuse.js';

/** Chooses the nodes to remove. It receives the main graph and the functions in file order. */
export type ChooseNodes = (graph: EditedGraph, functions: readonly EditedGraph[]) => readonly EditedNode[];

/**
 * Removes nodes, which are given by their names, output names or a function, and everything that only they need.
 * Readers of a removed node read its first input of the same type instead.
 * @throws SardonyxError INVALID_ARGUMENT if a node does not exist or cannot be bypassed
 */
export async function removeNodes(model: Model, nodes: readonly string[] | ChooseNodes): Promise<Model> {
  const types = await typesOf(model);
  const choose: ChooseNodes = typeof nodes === 'function' ? nodes : (graph) => nodes.map((name) => nodeOf(graph, name));
  return edit(model, (graph, functions) => {
    const inFunctions = new Set(functions.flatMap(({ allNodes }) => allNodes));
    // Functions may use the same names for other values. There, only declared types are known.
    for (const node of choose(graph, functions)) removeNode(node, inFunctions.has(node) ? NO_TYPES : types);
  });
}

const NO_TYPES: ValueTypes = new Map();

function nodeOf(graph: EditedGraph, name: string): EditedNode {
  const found = graph.allNodes.filter((node) => node.name === name);
  const makers =
    found.length > 0 ? found : graph.allNodes.filter(({ outputs }) => outputs.some((v) => v?.name === name));
  const [node, another] = makers;
  if (!node) throw refused(`no node has the name or the output "${name}"`);
  if (another) throw refused(`${makers.length} nodes are named "${name}"; use the name of an output instead`);
  return node;
}

function removeNode(node: EditedNode, types: ValueTypes): void {
  const read = node.outputs.filter((value): value is EditedValue => value !== null && !isUnread(value));
  const [value, another] = read;
  const what = `${node.op} "${node.name || node.outputs[0]?.name}"`;
  if (another)
    throw refused(`cannot remove ${what}: other nodes read ${read.length} of its outputs; at most one can be bypassed`);
  if (value) {
    const input = node.inputs.find((operand) => operand && !operand.constant && mayReplace(operand, value, types));
    if (!input) throw refused(`cannot remove ${what}: no input has the type of its output`);
    value.replaceBy(input);
  }
  removeWithOperands(node);
}

/** Whether the known types are compatible. */
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
