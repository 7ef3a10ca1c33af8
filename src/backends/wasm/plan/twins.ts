import type { Node } from '../../../graph/graph.js';

/** Nodes of a branch that take the forms of constants which a node of the other branch takes, by whichever is planned first. */
export const twins = new WeakMap<Node, Node>();

/** The node that stands for itself and its twins. */
export const firstOf = (node: Node): Node => twins.get(node) ?? node;
