import type { AttributeProto } from '../../../build/onnx.js';
import type { Branch, Test, TreeNode, Vote } from '../../primitives/trees.js';
import type { ElementType } from '../../tensor/element-types.js';
import { block, floats, int, ints, strings, tensor, tensorProto } from './node.js';

/**
 * Tests in the order of their numbers in TreeEnsemble. https://onnx.ai/onnx/operators/onnx_aionnxml_TreeEnsemble.html
 */
const TESTS: readonly Test[] = ['LEQ', 'LT', 'GTE', 'GT', 'EQ', 'NEQ', 'MEMBER'];
export const AGGREGATES = ['AVERAGE', 'SUM', 'MIN', 'MAX'];
export const TRANSFORMS = ['NONE', 'SOFTMAX', 'LOGISTIC', 'SOFTMAX_ZERO', 'PROBIT'] as const;
export type Transform = (typeof TRANSFORMS)[number];

interface Way {
  readonly place: number;
  readonly isLeaf: boolean;
}

interface Entry {
  readonly branch: Branch;
  readonly yes: Way;
  readonly no: Way;
  readonly tree: number;
}

/** The nodes of all trees as lists. Positions index all branches or all leaves. */
export interface Lists {
  readonly branches: Entry[];
  readonly leaves: (Vote & { readonly tree: number })[];
  readonly roots: number[];
}

const NOTHING: Vote = { target: 0, weight: 0 };

/**
 * Adds a tree in which each leaf has only one of its votes. A root that is a leaf becomes both children of a branch.
 */
function lay(tree: TreeNode, vote: number, { branches, leaves, roots }: Lists): void {
  const idle = { test: 'LEQ', feature: 0, values: [0], missingPasses: false } as const;
  const root: Branch = 'votes' in tree ? { ...idle, whenTrue: tree, whenFalse: { ...tree } } : tree;
  const first = branches.length;
  const queue = [root];
  const places = new Map<TreeNode, Way>([[root, { place: first, isLeaf: false }]]);
  const wayTo = (node: TreeNode): Way => {
    const known = places.get(node);
    if (known) return known;
    const way =
      'votes' in node
        ? { place: leaves.push({ ...(node.votes[vote] ?? NOTHING), tree: roots.length }) - 1, isLeaf: true }
        : { place: first + queue.push(node) - 1, isLeaf: false };
    places.set(node, way);
    return way;
  };
  for (const branch of queue)
    branches.push({ branch, yes: wayTo(branch.whenTrue), no: wayTo(branch.whenFalse), tree: roots.length });
  roots.push(first);
}

/** The maximum number of votes of a leaf. */
function mostVotes(tree: TreeNode): number {
  const queue = new Set([tree]);
  let most = 1;
  for (const node of queue)
    if ('votes' in node) most = Math.max(most, node.votes.length);
    else queue.add(node.whenTrue).add(node.whenFalse);
  return most;
}

export interface Forest {
  readonly trees: readonly TreeNode[];
  readonly targets: number;
  readonly aggregate: string;
  readonly base: ArrayLike<number>;
}

/** Converts base values to additional trees, which requires sums. */
export function laid({ trees, aggregate, base }: Forest): Lists {
  const lists: Lists = { branches: [], leaves: [], roots: [] };
  const constants = Array.from(base).flatMap((weight, target) =>
    weight === 0 ? [] : [{ votes: [{ target, weight }] }],
  );
  const isSplit = trees.some((tree) => mostVotes(tree) > 1);
  if (aggregate !== 'SUM' && (isSplit || constants.length > 0))
    block(
      `aggregate_function=${aggregate} with several weights per leaf or with base values is not supported since version 5`,
    );
  for (const tree of [...trees, ...constants])
    for (let vote = 0; vote < mostVotes(tree); vote++) lay(tree, vote, lists);
  return lists;
}

export function asEnsemble(forest: Forest, element: ElementType, transform: Transform): AttributeProto[] {
  const { branches, leaves, roots } = laid(forest);
  const list = (name: string, of: (entry: Entry) => number) => ints(name, branches.map(of));
  const numbers = (name: string, type: ElementType, values: readonly number[]) =>
    tensor(name, tensorProto(type, [values.length], values));
  return [
    int('aggregate_function', AGGREGATES.indexOf(forest.aggregate)),
    int('post_transform', TRANSFORMS.indexOf(transform)),
    int('n_targets', forest.targets),
    ints('tree_roots', roots),
    numbers(
      'nodes_modes',
      'uint8',
      branches.map(({ branch }) => TESTS.indexOf(branch.test)),
    ),
    numbers(
      'nodes_splits',
      element,
      branches.map(({ branch }) => branch.values[0] as number),
    ),
    list('nodes_featureids', ({ branch }) => branch.feature),
    list('nodes_missing_value_tracks_true', ({ branch }) => Number(branch.missingPasses)),
    list('nodes_truenodeids', ({ yes }) => yes.place),
    list('nodes_trueleafs', ({ yes }) => Number(yes.isLeaf)),
    list('nodes_falsenodeids', ({ no }) => no.place),
    list('nodes_falseleafs', ({ no }) => Number(no.isLeaf)),
    ints(
      'leaf_targetids',
      leaves.map(({ target }) => target),
    ),
    numbers(
      'leaf_weights',
      element,
      leaves.map(({ weight }) => weight),
    ),
  ];
}

interface Row {
  readonly tree: number;
  readonly id: number;
  readonly entry: Entry | undefined;
}

/** Orders nodes by tree, starting with the root, as onnxruntime requires. Leaf ids follow the branch ids. */
export function asRegressor({ branches, leaves }: Lists): AttributeProto[] {
  const idOf = ({ place, isLeaf }: Way) => (isLeaf ? branches.length + place : place);
  const rows: Row[] = [
    ...branches.map((entry, id) => ({ tree: entry.tree, id, entry })),
    ...leaves.map(({ tree }, i) => ({ tree, id: branches.length + i, entry: undefined })),
  ].sort((a, b) => a.tree - b.tree);
  const list = (name: string, of: (entry: Entry) => number) =>
    ints(
      name,
      rows.map(({ entry }) => (entry ? of(entry) : 0)),
    );
  return [
    ints(
      'nodes_treeids',
      rows.map(({ tree }) => tree),
    ),
    ints(
      'nodes_nodeids',
      rows.map(({ id }) => id),
    ),
    list('nodes_featureids', ({ branch }) => branch.feature),
    list('nodes_truenodeids', ({ yes }) => idOf(yes)),
    list('nodes_falsenodeids', ({ no }) => idOf(no)),
    list('nodes_missing_value_tracks_true', ({ branch }) => Number(branch.missingPasses)),
    strings(
      'nodes_modes',
      rows.map(({ entry }) => (entry ? `BRANCH_${entry.branch.test}` : 'LEAF')),
    ),
    floats(
      'nodes_values',
      rows.map(({ entry }) => entry?.branch.values[0] ?? 0),
    ),
    ints(
      'target_treeids',
      leaves.map(({ tree }) => tree),
    ),
    ints(
      'target_nodeids',
      leaves.map((_, i) => branches.length + i),
    ),
    ints(
      'target_ids',
      leaves.map(({ target }) => target),
    ),
    floats(
      'target_weights',
      leaves.map(({ weight }) => weight),
    ),
  ];
}
