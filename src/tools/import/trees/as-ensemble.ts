import type { AttributeProto } from '../../../../build/onnx.js';
import { int, ints, tensor, tensorProto } from '../../convert/node.js';
import { type Forest, isLeaf, type Leaf, type Test, type Tree } from './forest.js';
import { isSplit, type Placed, type PlacedLeaf, type PlacedSplit, placed } from './node-table.js';

/** The operator's numbers of what splits ask. */
const MODES: Readonly<Record<Test['mode'], number>> = {
  BRANCH_LEQ: 0,
  BRANCH_LT: 1,
  BRANCH_GT: 3,
  BRANCH_MEMBER: 6,
};

/** Where nodes are among all splits, or all leaves, by tree and place. */
type Places = ReadonlyMap<string, number>;

const keyOf = ({ tree, place }: Pick<Placed, 'tree' | 'place'>): string => `${tree} ${place}`;

const placesOf = (nodes: readonly Placed[]): Places => new Map(nodes.map((node, i) => [keyOf(node), i]));

/** https://onnx.ai/onnx/operators/onnx_aionnxml_TreeEnsemble.html, whose base values are added behind it. */
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

/** Trees whose leaves are for one target each, which is all that the operator has. */
function forEachTarget(tree: Tree): Tree[] {
  const most = Math.max(...tree.map((node) => (isLeaf(node) ? node.size : 0)));
  const only = (leaf: Leaf, i: number): Leaf => new Map([...leaf].slice(i, i + 1));
  return Array.from({ length: Math.max(most, 1) }, (_, i) => tree.map((node) => (isLeaf(node) ? only(node, i) : node)));
}

/** Roots are splits: one that is a leaf is where both ways of a split lead. */
function withSplit(tree: Tree): Tree {
  const [root] = tree;
  if (!root || !isLeaf(root)) return tree;
  return [{ feature: 0, test: { mode: 'BRANCH_LEQ', value: 0 }, yes: 1, no: 2, missing: 'no' }, root, root];
}
