import { SardonyxError } from '../../../base/errors.js';
import { type Forest, isLeaf, type Leaf, type Split, type Tree } from './forest.js';

/** A node with the index of its tree and its position in the tree. */
export interface PlacedSplit extends Split {
  readonly tree: number;
  readonly place: number;
}

export interface PlacedLeaf {
  readonly tree: number;
  readonly place: number;
  readonly leaf: Leaf;
}

export type Placed = PlacedSplit | PlacedLeaf;

export const isSplit = (node: Placed): node is PlacedSplit => 'test' in node;

/** All reachable nodes, tree by tree in the order of their new positions. Roots have position 0. */
export const placed = ({ trees, features, targets }: Forest): Placed[] =>
  trees.flatMap((tree, t) => placedTree(tree, t, features, targets));

function placedTree(tree: Tree, t: number, features: number, targets: number): Placed[] {
  const refuse = (complaint: string) => new SardonyxError('INVALID_ARGUMENT', `tree ${t}: ${complaint}`);
  const order = [0];
  const places = new Map([[0, 0]]);
  const placeOf = (index: number): number => {
    if (!tree[index]) throw refuse(`node ${index} is referenced, but missing`);
    if (places.has(index)) throw refuse(`node ${index} has two parents`);
    places.set(index, order.push(index) - 1);
    return order.length - 1;
  };
  const nodes: Placed[] = [];
  for (let place = 0; place < order.length; place++) {
    const node = tree[order[place] as number];
    if (!node) throw refuse('the tree has no nodes');
    if (isLeaf(node)) {
      const isSound = [...node].every(([target, weight]) => target < targets && Number.isFinite(weight));
      if (!isSound)
        throw refuse(`leaf ${order[place]} has a value that is not finite, or a target outside the ${targets} targets`);
      nodes.push({ tree: t, place, leaf: node });
      continue;
    }
    if (!(node.feature >= 0 && node.feature < features))
      throw refuse(`unknown feature ${node.feature}; the model has ${features} features`);
    if (node.test.mode !== 'BRANCH_MEMBER' && Number.isNaN(node.test.value))
      throw refuse(`the threshold of node ${order[place]} is NaN`);
    nodes.push({ ...node, tree: t, place, yes: placeOf(node.yes), no: placeOf(node.no) });
  }
  return nodes;
}
