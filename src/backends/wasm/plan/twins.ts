import type { Node } from '../../../graph/graph.js';

/** Maps nodes to their twins in another branch, with which they share packed constants, whichever is planned first. */
export const twins = new WeakMap<Node, Node>();

/** The node that represents itself and its twins. */
export const firstOf = (node: Node): Node => twins.get(node) ?? node;
