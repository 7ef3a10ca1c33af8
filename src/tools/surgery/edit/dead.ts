import type { EditedGraph, EditedNode, EditedValue } from './graph.js';

/** Whether nothing reads the outputs of a node. */
const isDead = ({ outputs }: EditedNode): boolean =>
  outputs.length > 0 && outputs.every((value) => !value || isUnread(value));

export const isUnread = (value: EditedValue): boolean => value.readers.length === 0 && !value.isOutput;

/** Removes a node, and then nodes and constants that only it needed, except inputs. */
export function removeWithOperands(node: EditedNode): void {
  const operands = new Set(node.operands);
  node.remove();
  for (const value of operands) if (value) removeUnread(value);
}

/** Removes the producer of a value that nothing reads. */
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

/** Removes all nodes without effect on the outputs, also in subgraphs. */
export function removeDead(graph: EditedGraph): void {
  for (const node of [...graph.nodes].reverse()) {
    for (const inner of [...node.subgraphs.values()].flat()) removeDead(inner);
    if (isDead(node)) node.remove();
  }
}
