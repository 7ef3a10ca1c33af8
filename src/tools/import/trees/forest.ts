/** What a split asks of a feature. A feature that is missing, NaN, goes where `missing` says. */
export type Test =
  | { readonly mode: 'BRANCH_LT' | 'BRANCH_LEQ' | 'BRANCH_GT'; readonly value: number }
  | { readonly mode: 'BRANCH_MEMBER'; readonly values: readonly number[] };

/** Where a tree parts; `yes` and `no` are places of nodes in the tree. */
export interface Split {
  readonly feature: number;
  readonly test: Test;
  readonly yes: number;
  readonly no: number;
  readonly missing: 'yes' | 'no';
}

/** What a leaf adds to targets, by their places. */
export type Leaf = ReadonlyMap<number, number>;

export type TreeNode = Split | Leaf;

/** Nodes, of which the first is the root. */
export type Tree = readonly TreeNode[];

export const isLeaf = (node: TreeNode): node is Leaf => node instanceof Map;

/** What is done to a feature before trees look at it. */
export type Preparation = 'floor' | 'truncate' | 'zero is missing';

/** What comes of the sums. */
export type Outcome =
  | { readonly kind: 'classes'; readonly link: 'logistic' | 'softmax'; readonly labels: readonly (number | string)[] }
  | { readonly kind: 'numbers'; readonly link: Link };

export type Link = 'identity' | 'logistic' | 'exp' | 'softplus' | 'signed square' | 'positive';

/** Trees whose leaves are summed up, wherever they come from. */
export interface Forest {
  readonly features: number;
  readonly targets: number;
  readonly trees: readonly Tree[];
  /** What sums begin with, by target. */
  readonly base: readonly number[];
  readonly outcome: Outcome;
  readonly prepared: ReadonlyMap<number, Preparation>;
}

/** Options of `fromXGBoost`, `fromLightGBM` and `fromCatBoost`. */
export interface ForestOptions {
  /**
   * The opset of ai.onnx.ml: 3 uses TreeEnsembleRegressor; 5 uses TreeEnsemble, which categorical splits need. Default:
   * 3 if it is sufficient.
   */
  readonly opset?: 3 | 5;
  /** The class labels. Default: those of the file, or 0, 1, … */
  readonly labels?: readonly (number | string)[];
  /** The number of boosting rounds to use. Default: all. */
  readonly rounds?: number;
}
