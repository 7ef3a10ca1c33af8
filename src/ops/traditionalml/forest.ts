import type { SardonyxError } from '../../errors.js';
import { numbersOf } from '../../tensor/numbers.js';
import type { TensorValue } from '../../tensor/tensor-value.js';
import type { FeatureRows } from './rows.js';

/**
 * Decision trees, each node's true branch right behind it. A node compares a feature with its threshold; a leaf (feature −1)
 * adds the votes from its `branch` to that of the next leaf, weights `weights` for targets `targets`.
 */
export interface Forest {
  readonly roots: Int32Array;
  readonly features: Int32Array;
  readonly thresholds: Float64Array;
  /** Where the false branch is; of a leaf, its first vote. */
  readonly branches: Int32Array;
  /** Of a leaf: the end of its votes. */
  readonly ends: Int32Array;
  readonly modes: Uint8Array;
  readonly missingTrue: Uint8Array;
  readonly targets: Int32Array;
  readonly weights: Float64Array;
  /** All nodes branch on ≤ and none treats a missing value apart. */
  readonly isPlain: boolean;
}

/** The parallel lists that TreeEnsembleClassifier and TreeEnsembleRegressor say a forest by. */
export interface NodeLists {
  readonly nodes_treeids: readonly number[];
  readonly nodes_nodeids: readonly number[];
  readonly nodes_featureids: readonly number[];
  readonly nodes_modes: readonly string[];
  readonly nodes_values?: readonly number[] | undefined;
  readonly nodes_values_as_tensor?: TensorValue | undefined;
  readonly nodes_truenodeids: readonly number[];
  readonly nodes_falsenodeids: readonly number[];
  readonly nodes_missing_value_tracks_true?: readonly number[] | undefined;
}

/** Votes of leaves, in any order. */
export interface VoteLists {
  readonly treeids: readonly number[];
  readonly nodeids: readonly number[];
  readonly ids: readonly number[];
  readonly weights: ArrayLike<number>;
}

const MODES = ['BRANCH_LEQ', 'BRANCH_LT', 'BRANCH_GTE', 'BRANCH_GT', 'BRANCH_EQ', 'BRANCH_NEQ', 'LEAF'];
const LEAF = MODES.indexOf('LEAF');

const COMPARE: readonly ((x: number, threshold: number) => boolean)[] = [
  (x, t) => x <= t,
  (x, t) => x < t,
  (x, t) => x >= t,
  (x, t) => x > t,
  (x, t) => x === t,
  (x, t) => x !== t,
];

const keyOf = (tree: number, node: number) => `${tree}/${node}`;

/** A list given as attribute of floats or as tensor. */
export const listOf = (list: readonly number[] | undefined, tensor: TensorValue | undefined): ArrayLike<number> =>
  tensor ? numbersOf(tensor) : (list ?? []);

export function parseForest(nodes: NodeLists, votes: VoteLists, fail: (message: string) => SardonyxError): Forest {
  const count = nodes.nodes_treeids.length;
  const thresholds = listOf(nodes.nodes_values, nodes.nodes_values_as_tensor);
  const places = new Map<string, number>();
  const roots = new Map<number, number>();
  for (let i = 0; i < count; i++) {
    const tree = nodes.nodes_treeids[i] as number;
    places.set(keyOf(tree, nodes.nodes_nodeids[i] as number), i);
    if (!roots.has(tree)) roots.set(tree, i);
  }
  const votesOf = new Map<string, number[]>();
  votes.treeids.forEach((tree, v) => {
    const key = keyOf(tree, votes.nodeids[v] as number);
    votesOf.set(key, [...(votesOf.get(key) ?? []), v]);
  });

  const forest = {
    roots: new Int32Array(roots.size),
    features: new Int32Array(count),
    thresholds: new Float64Array(count),
    branches: new Int32Array(count),
    ends: new Int32Array(count),
    modes: new Uint8Array(count),
    missingTrue: new Uint8Array(count),
    targets: new Int32Array(votes.ids.length),
    weights: new Float64Array(votes.ids.length),
    isPlain: true,
  };
  let placed = 0;
  let cast = 0;
  const childOf = (i: number, ids: readonly number[]) =>
    places.get(keyOf(nodes.nodes_treeids[i] as number, ids[i] as number)) ??
    thrown(fail(`node ${nodes.nodes_nodeids[i]} of tree ${nodes.nodes_treeids[i]} has a child that is not there`));

  /** Depth first; the false branches that are still to place wait on a stack with the node that leads to them. */
  const placeTree = (root: number): void => {
    const waiting: [node: number, parent: number][] = [[root, -1]];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [i, parent] = next;
      if (placed === count) thrown(fail('a node has two parents'));
      const at = placed++;
      if (parent >= 0) forest.branches[parent] = at;
      const mode = MODES.indexOf(nodes.nodes_modes[i] as string);
      if (mode < 0) thrown(fail(`node mode "${nodes.nodes_modes[i]}" is none of ${MODES.join(', ')}`));
      forest.modes[at] = mode;
      if (mode === LEAF) {
        forest.features[at] = -1;
        forest.branches[at] = cast;
        for (const v of votesOf.get(keyOf(nodes.nodes_treeids[i] as number, nodes.nodes_nodeids[i] as number)) ?? []) {
          forest.targets[cast] = votes.ids[v] as number;
          forest.weights[cast++] = votes.weights[v] as number;
        }
        forest.ends[at] = cast;
        continue;
      }
      forest.features[at] = nodes.nodes_featureids[i] as number;
      forest.thresholds[at] = thresholds[i] as number;
      forest.missingTrue[at] = nodes.nodes_missing_value_tracks_true?.[i] ?? 0;
      forest.isPlain &&= mode === 0 && forest.missingTrue[at] === 0;
      waiting.push([childOf(i, nodes.nodes_falsenodeids), at], [childOf(i, nodes.nodes_truenodeids), -1]);
    }
  };
  [...roots.values()].forEach((root, tree) => {
    forest.roots[tree] = placed;
    placeTree(root);
  });
  return forest;
}

const thrown = (error: SardonyxError): never => {
  throw error;
};

/** The leaf that a row ends in. */
function leafOf({ features, thresholds, branches }: Forest, root: number, x: ArrayLike<number>, row: number): number {
  let node = root;
  for (let feature = features[node] as number; feature >= 0; feature = features[node] as number) {
    node = (x[row + feature] as number) <= (thresholds[node] as number) ? node + 1 : (branches[node] as number);
  }
  return node;
}

function leafOfAnyMode(forest: Forest, root: number, x: ArrayLike<number>, row: number): number {
  const { features, thresholds, branches, modes, missingTrue } = forest;
  let node = root;
  for (let feature = features[node] as number; feature >= 0; feature = features[node] as number) {
    const value = x[row + feature] as number;
    const compare = COMPARE[modes[node] as number] as (x: number, threshold: number) => boolean;
    const holds = compare(value, thresholds[node] as number) || (missingTrue[node] !== 0 && Number.isNaN(value));
    node = holds ? node + 1 : (branches[node] as number);
  }
  return node;
}

/** How the votes of the trees join. */
export type Join = (total: number, weight: number) => number;

/** Adds every tree's votes to `scores` [rows, targets], tree by tree, so that one tree serves all rows from the cache. */
export function addVotes(
  forest: Forest,
  { rows, columns, values }: FeatureRows,
  targets: number,
  scores: Float64Array,
): void {
  const { roots, branches, ends, weights, targets: ids, isPlain } = forest;
  for (let tree = 0; tree < roots.length; tree++) {
    const root = roots[tree] as number;
    for (let row = 0; row < rows; row++) {
      const leaf = (isPlain ? leafOf : leafOfAnyMode)(forest, root, values, row * columns);
      const end = ends[leaf] as number;
      for (let v = branches[leaf] as number; v < end; v++) {
        const at = row * targets + (ids[v] as number);
        scores[at] = (scores[at] as number) + (weights[v] as number);
      }
    }
  }
}

/** The smallest or largest vote of all trees in place of their sum. */
export function joinVotes(
  forest: Forest,
  { rows, columns, values }: FeatureRows,
  targets: number,
  scores: Float64Array,
  join: Join,
): void {
  const voted = new Uint8Array(scores.length);
  for (const root of forest.roots) {
    for (let row = 0; row < rows; row++) {
      const leaf = leafOfAnyMode(forest, root, values, row * columns);
      for (let v = forest.branches[leaf] as number; v < (forest.ends[leaf] as number); v++) {
        const at = row * targets + (forest.targets[v] as number);
        const weight = forest.weights[v] as number;
        scores[at] = voted[at] ? join(scores[at] as number, weight) : weight;
        voted[at] = 1;
      }
    }
  }
}
