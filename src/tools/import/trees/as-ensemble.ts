import type { AttributeProto } from '../../../../build/onnx.js';
import { int, ints, tensor, tensorProto } from '../../convert/node.js';
import { type Forest, isLeaf, type Leaf, type Test, type Tree } from './forest.js';
import { isSplit, type Placed, type PlacedLeaf, type PlacedSplit, placed } from './node-table.js';

/** Numbers of the tests in the operator's `nodes_modes`. */
const MODES: Readonly<Record<Test['mode'], number>> = {
  BRANCH_LEQ: 0,
  BRANCH_LT: 1,
  BRANCH_GT: 3,
  BRANCH_MEMBER: 6,
};

/** Indices of nodes among all splits or all leaves, by tree and position. */
type Places = ReadonlyMap<string, number>;

const keyOf = ({ tree, place }: Pick<Placed, 'tree' | 'place'>): string => `${tree} ${place}`;

const placesOf = (nodes: readonly Placed[]): Places => new Map(nodes.map((node, i) => [keyOf(node), i]));

/**
 * Attributes of TreeEnsemble, https://onnx.ai/onnx/operators/onnx_aionnxml_TreeEnsemble.html. Its base values are added
 * by a later node.
 */
export function asEnsemble(forest: Forest): AttributeProto[] {
  const { trees, targets, features } = forest;
  const nodes = placed({
    ...forest,
    features: Math.max(features, 1),
    trees: trees.flatMap(forEachTarget).map(withSplit),
  });
  const splits = nodes.filter(isSplit);
  const leaves = nodes.filter((node): node is PlacedLeaf => !isSplit(node));
  const [splitAt, leafAt] = [placesOf(splits), placesOf(leaves)];
  const branch = (name: string, to: (split: PlacedSplit) => number) => {
    const keys = splits.map((split) => keyOf({ tree: split.tree, place: to(split) }));
    return [
      ints(
        `nodes_${name}nodeids`,
        keys.map((key) => splitAt.get(key) ?? (leafAt.get(key) as number)),
      ),
      ints(
        `nodes_${name}leafs`,
        keys.map((key) => Number(leafAt.has(key))),
      ),
    ];
  };
  const entries = leaves.map(({ leaf }) => [...leaf][0] ?? ([0, 0] as const));
  const members = splits.flatMap(({ test }) => (test.mode === 'BRANCH_MEMBER' ? [...test.values, Number.NaN] : []));
  const list = (name: string, values: readonly number[]) =>
    tensor(name, tensorProto('float32', [values.length], values));
  return [
    int('n_targets', targets),
    ints(
      'tree_roots',
      splits.flatMap(({ place }, i) => (place === 0 ? [i] : [])),
    ),
    tensor(
      'nodes_modes',
      tensorProto(
        'uint8',
        [splits.length],
        splits.map(({ test }) => MODES[test.mode]),
      ),
    ),
    ints(
      'nodes_featureids',
      splits.map(({ feature }) => feature),
    ),
    list(
      'nodes_splits',
      splits.map(({ test }) => ('value' in test ? test.value : 0)),
    ),
    ...branch('true', ({ yes }) => yes),
    ...branch('false', ({ no }) => no),
    ints(
      'nodes_missing_value_tracks_true',
      splits.map(({ missing }) => Number(missing === 'yes')),
    ),
    ...(members.length > 0 ? [list('membership_values', members)] : []),
    ints(
      'leaf_targetids',
      entries.map(([target]) => target),
    ),
    list(
      'leaf_weights',
      entries.map(([, weight]) => weight),
    ),
  ];
}

/** Splits a tree into trees with one target per leaf, as the operator requires. */
function forEachTarget(tree: Tree): Tree[] {
  const most = Math.max(...tree.map((node) => (isLeaf(node) ? node.size : 0)));
  const only = (leaf: Leaf, i: number): Leaf => new Map([...leaf].slice(i, i + 1));
  return Array.from({ length: Math.max(most, 1) }, (_, i) => tree.map((node) => (isLeaf(node) ? only(node, i) : node)));
}

/** Puts a split with two equal leaves before a root that is a leaf, as roots must be splits. */
function withSplit(tree: Tree): Tree {
  const [root] = tree;
  if (!root || !isLeaf(root)) return tree;
  return [{ feature: 0, test: { mode: 'BRANCH_LEQ', value: 0 }, yes: 1, no: 2, missing: 'no' }, root, root];
}
