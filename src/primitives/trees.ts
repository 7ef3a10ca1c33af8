import { SardonyxError } from '../base/errors.js';
import { numbersOf } from '../tensor/numbers.js';
import type { TensorValue } from '../tensor/tensor-value.js';

/** The comparison of a branch. */
export type Test = 'LEQ' | 'LT' | 'GTE' | 'GT' | 'EQ' | 'NEQ' | 'MEMBER';

export interface Branch {
  readonly test: Test;
  readonly feature: number;
  /** The operand of the comparison; the members of a set. */
  readonly values: readonly number[];
  /** Whether NaN passes every test. */
  readonly missingPasses: boolean;
  whenTrue: TreeNode;
  whenFalse: TreeNode;
}

export interface Vote {
  readonly target: number;
  readonly weight: number;
}

export interface Leaf {
  readonly votes: Vote[];
}

export type TreeNode = Branch | Leaf;

/** The height beyond which branches must form a cycle. */
export const MAX_DEPTH = 1 << 16;

type Numbers = ArrayLike<number>;

/** The attributes of a TreeEnsembleRegressor. */
export interface RegressorTrees {
  readonly nodes_treeids: readonly number[] | undefined;
  readonly nodes_nodeids: readonly number[] | undefined;
  readonly nodes_featureids: readonly number[] | undefined;
  readonly nodes_modes: readonly string[] | undefined;
  readonly nodes_values: readonly number[] | undefined;
  readonly nodes_values_as_tensor?: TensorValue | undefined;
  readonly nodes_truenodeids: readonly number[] | undefined;
  readonly nodes_falsenodeids: readonly number[] | undefined;
  readonly nodes_missing_value_tracks_true: readonly number[] | undefined;
  readonly target_treeids: readonly number[] | undefined;
  readonly target_nodeids: readonly number[] | undefined;
  readonly target_ids: readonly number[] | undefined;
  readonly target_weights: readonly number[] | undefined;
  readonly target_weights_as_tensor?: TensorValue | undefined;
}

const invalid = (message: string) => new SardonyxError('INVALID_ATTRIBUTE', message);

/** A list attribute given as floats or, for float64, as a tensor. */
export const floatsOf = (list: readonly number[] | undefined, tensor: TensorValue | undefined): Numbers | undefined =>
  tensor ? numbersOf(tensor) : list;

/** Checks a number that counts from 0, because kernels use it as a memory offset. */
function positionIn(list: string, id: number | undefined): number {
  if (id !== undefined && Number.isInteger(id) && id >= 0) return id;
  throw invalid(`${list} has ${id}; its entries count from 0`);
}

/** Checks that all lists have `length` entries. */
function checkLengths(lists: Readonly<Record<string, Numbers | undefined>>, length: number): void {
  for (const [name, list] of Object.entries(lists))
    if (list?.length !== length) throw invalid(`${name} has ${list?.length ?? 'no'} entries; there are ${length}`);
}

/** The trees of a TreeEnsembleRegressor. The root of a tree is its first node in the list. */
export function regressorTrees(a: RegressorTrees): TreeNode[] {
  const { nodes_treeids: trees = [], nodes_nodeids: ids, nodes_featureids: features, nodes_modes: modes } = a;
  const { nodes_truenodeids: trueIds, nodes_falsenodeids: falseIds, nodes_missing_value_tracks_true: missing } = a;
  const values = floatsOf(a.nodes_values, a.nodes_values_as_tensor);
  checkLengths({ nodes_nodeids: ids, nodes_featureids: features, nodes_values: values }, trees.length);
  checkLengths({ nodes_truenodeids: trueIds, nodes_falsenodeids: falseIds }, trees.length);
  if (modes?.length !== trees.length) throw invalid(`nodes_modes has not ${trees.length} entries`);

  const byTree = new Map<number, Map<number, TreeNode>>();
  const nodes = trees.map((tree, i): TreeNode => {
    const node = nodeOf(
      modes[i] as string,
      positionIn('nodes_featureids', features?.[i]),
      values?.[i] as number,
      missing?.[i] === 1,
    );
    const siblings = byTree.get(tree) ?? new Map<number, TreeNode>();
    if (siblings.has(ids?.[i] as number)) throw invalid(`node ${ids?.[i]} of tree ${tree} is there twice`);
    byTree.set(tree, siblings.set(ids?.[i] as number, node));
    return node;
  });
  nodes.forEach((node, i) => {
    if ('votes' in node) return;
    node.whenTrue = childOf(byTree, trees[i] as number, trueIds?.[i] as number);
    node.whenFalse = childOf(byTree, trees[i] as number, falseIds?.[i] as number);
  });
  addVotes(byTree, a);
  return [...byTree.values()].map((siblings) => siblings.values().next().value as TreeNode);
}

const NOWHERE: Leaf = { votes: [] };

function nodeOf(mode: string, feature: number, value: number, missingPasses: boolean): TreeNode {
  if (mode === 'LEAF') return { votes: [] };
  const test = mode.replace('BRANCH_', '') as Test;
  if (!TESTS.includes(test)) throw invalid(`nodes_modes has "${mode}"; known are LEAF and BRANCH_${TESTS}`);
  return { test, feature, values: [value], missingPasses, whenTrue: NOWHERE, whenFalse: NOWHERE };
}

function childOf(byTree: ReadonlyMap<number, ReadonlyMap<number, TreeNode>>, tree: number, id: number): TreeNode {
  const child = byTree.get(tree)?.get(id);
  if (!child) throw invalid(`tree ${tree} has no node ${id}, but a branch leads there`);
  return child;
}

function addVotes(byTree: ReadonlyMap<number, ReadonlyMap<number, TreeNode>>, a: RegressorTrees): void {
  const { target_treeids: trees = [], target_nodeids: ids, target_ids: targets } = a;
  const weights = floatsOf(a.target_weights, a.target_weights_as_tensor);
  checkLengths({ target_nodeids: ids, target_ids: targets, target_weights: weights }, trees.length);
  trees.forEach((tree, i) => {
    const leaf = childOf(byTree, tree, ids?.[i] as number);
    if ('votes' in leaf)
      leaf.votes.push({ target: positionIn('target_ids', targets?.[i]), weight: weights?.[i] as number });
  });
}

/** The attributes of a TreeEnsemble. */
export interface EnsembleTrees {
  readonly tree_roots: readonly number[];
  readonly nodes_featureids: readonly number[];
  readonly nodes_modes: TensorValue;
  readonly nodes_splits: TensorValue;
  readonly nodes_truenodeids: readonly number[];
  readonly nodes_falsenodeids: readonly number[];
  readonly nodes_trueleafs: readonly number[];
  readonly nodes_falseleafs: readonly number[];
  readonly nodes_missing_value_tracks_true: readonly number[] | undefined;
  readonly membership_values: TensorValue | undefined;
  readonly leaf_targetids: readonly number[];
  readonly leaf_weights: TensorValue;
}

/** By the numbers in the attribute. */
const TESTS: readonly Test[] = ['LEQ', 'LT', 'GTE', 'GT', 'EQ', 'NEQ', 'MEMBER'];

/** The trees of a TreeEnsemble, which stores branches and leaves in separate lists. */
export function ensembleTrees(a: EnsembleTrees): TreeNode[] {
  const splits = numbersOf(a.nodes_splits);
  const modes = numbersOf(a.nodes_modes);
  const weights = numbersOf(a.leaf_weights);
  const { nodes_truenodeids, nodes_falsenodeids, nodes_trueleafs, nodes_falseleafs, nodes_featureids } = a;
  const count = nodes_featureids.length;
  checkLengths({ nodes_splits: splits, nodes_modes: modes, nodes_truenodeids, nodes_falsenodeids }, count);
  checkLengths({ nodes_trueleafs, nodes_falseleafs }, count);
  checkLengths({ leaf_weights: weights }, a.leaf_targetids.length);

  const sets = a.membership_values ? splitAtNaN(numbersOf(a.membership_values)) : [];
  const leaves = a.leaf_targetids.map(
    (target, i): Leaf => ({
      votes: [{ target: positionIn('leaf_targetids', target), weight: weights[i] as number }],
    }),
  );
  const branches = nodes_featureids.map((id, i): Branch => {
    const feature = positionIn('nodes_featureids', id);
    const test = TESTS[modes[i] as number];
    if (!test) throw invalid(`nodes_modes has ${modes[i]}; known are 0 … ${TESTS.length - 1}`);
    const values = test === 'MEMBER' ? sets.shift() : [splits[i] as number];
    if (!values) throw invalid('membership_values has fewer sets than nodes_modes has tests for membership');
    const missingPasses = a.nodes_missing_value_tracks_true?.[i] === 1;
    return { test, feature, values, missingPasses, whenTrue: NOWHERE, whenFalse: NOWHERE };
  });
  const nodeAt = (list: readonly TreeNode[], i: number | undefined): TreeNode =>
    list[i as number] ?? fail(`there is no node ${i}, but a branch leads there`);
  branches.forEach((branch, i) => {
    branch.whenTrue = nodeAt(nodes_trueleafs[i] ? leaves : branches, nodes_truenodeids[i]);
    branch.whenFalse = nodeAt(nodes_falseleafs[i] ? leaves : branches, nodes_falsenodeids[i]);
  });
  return a.tree_roots.map((root) => nodeAt(branches, root));
}

function fail(message: string): never {
  throw invalid(message);
}

/** Splits numbers into sets, each ended by a NaN, which is optional after the last. */
function splitAtNaN(numbers: Numbers): number[][] {
  const sets: number[][] = [];
  let set: number[] = [];
  for (const x of Array.from(numbers)) {
    if (!Number.isNaN(x)) {
      set.push(x);
      continue;
    }
    sets.push(set);
    set = [];
  }
  return set.length > 0 ? [...sets, set] : sets;
}
