import type { EditedGraph, EditedNode, EditedValue } from './graph.js';

/** Whether nobody reads any of what a node makes. */
const isDead = ({ outputs }: EditedNode): boolean =>
  outputs.length > 0 && outputs.every((value) => !value || isUnread(value));

export const isUnread = (value: EditedValue): boolean => value.readers.length === 0 && !value.isOutput;

/** Removes a node, and then what only it needed: nodes, and constants that are no inputs. */
export function removeWithOperands(node: EditedNode): void {
  const operands = new Set(node.operands);
  node.remove();
  for (const value of operands) if (value) removeUnread(value);
}

/** Removes what makes a value that nobody reads. */
export function removeUnread(value: EditedValue): void {
  if (!isUnread(value)) return;
  if (value.producer && isDead(value.producer)) removeWithOperands(value.producer);
  else removeConstant(value);
}

export function removeConstant(value: EditedValue): void {
  const { constants } = value.graph;
  const at = constants.indexOf(value);
  if (at >= 0 && !value.isInput) constants.splice(at, 1);
}

/** Removes all nodes, also in subgraphs, that nothing follows from. */
export function removeDead(graph: EditedGraph): void {
  for (const node of [...graph.nodes].reverse()) {
    for (const inner of [...node.subgraphs.values()].flat()) removeDead(inner);
    if (isDead(node)) node.remove();
  }
}
