/** The test of a split. `missing` specifies the branch for a missing feature, NaN. */
export type Test =
  | { readonly mode: 'BRANCH_LT' | 'BRANCH_LEQ' | 'BRANCH_GT'; readonly value: number }
  | { readonly mode: 'BRANCH_MEMBER'; readonly values: readonly number[] };

/** A split; `yes` and `no` are indices of nodes in the tree. */
export interface Split {
  readonly feature: number;
  readonly test: Test;
  readonly yes: number;
  readonly no: number;
  readonly missing: 'yes' | 'no';
}

/** The values that a leaf adds, by target index. */
export type Leaf = ReadonlyMap<number, number>;

export type TreeNode = Split | Leaf;

/** The nodes of a tree, root first. */
export type Tree = readonly TreeNode[];

export const isLeaf = (node: TreeNode): node is Leaf => node instanceof Map;

/** Preprocessing of a feature. */
export type Preparation = 'floor' | 'truncate' | 'zero is missing';

/** Postprocessing of the sums. */
export type Outcome =
  | { readonly kind: 'classes'; readonly link: 'logistic' | 'softmax'; readonly labels: readonly (number | string)[] }
  | { readonly kind: 'numbers'; readonly link: Link };

export type Link = 'identity' | 'logistic' | 'exp' | 'softplus' | 'signed square' | 'positive';

/** A tree ensemble from any library; the values of its leaves are summed. */
export interface Forest {
  readonly features: number;
  readonly targets: number;
  readonly trees: readonly Tree[];
  /** The initial value of each target's sum. */
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
