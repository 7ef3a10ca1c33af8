import { floats, int, ints, string, strings, tensor } from '../schema/attributes.js';
import { matrix, rowsOf } from '../schema/batch.js';
import { by, defineOp, type Inference } from '../schema/definition.js';
import type { TensorValue } from '../tensor/tensor-value.js';
import { aggregateOf, treeEnsemble } from './tree-ensemble.js';
import { type EnsembleTrees, ensembleTrees, floatsOf, type RegressorTrees, regressorTrees } from './trees.js';

export const nodeAttributes = {
  nodes_treeids: ints(),
  nodes_nodeids: ints(),
  nodes_featureids: ints(),
  nodes_modes: strings(),
  nodes_values: floats(),
  nodes_truenodeids: ints(),
  nodes_falsenodeids: ints(),
  nodes_missing_value_tracks_true: ints(),
  nodes_hitrates: floats(),
  base_values: floats(),
};

export const nodeTensors = {
  nodes_values_as_tensor: tensor(),
  nodes_hitrates_as_tensor: tensor(),
  base_values_as_tensor: tensor(),
};

export interface Base {
  readonly base_values: readonly number[] | undefined;
  readonly base_values_as_tensor?: TensorValue | undefined;
}

export const baseOf = (a: Base) => floatsOf(a.base_values, a.base_values_as_tensor) ?? [];

export const targetsOf = (a: { n_targets: number | undefined; target_ids: readonly number[] | undefined }) =>
  a.n_targets ?? (a.target_ids ?? []).reduce((most, id) => Math.max(most, id + 1), 1);

export const regressorAttributes = {
  ...nodeAttributes,
  target_treeids: ints(),
  target_nodeids: ints(),
  target_ids: ints(),
  target_weights: floats(),
  n_targets: int(),
  aggregate_function: string('SUM'),
};

export const ensembleAttributes = {
  tree_roots: ints.required,
  nodes_featureids: ints.required,
  nodes_modes: tensor.required,
  nodes_splits: tensor.required,
  nodes_truenodeids: ints.required,
  nodes_falsenodeids: ints.required,
  nodes_trueleafs: ints.required,
  nodes_falseleafs: ints.required,
  nodes_missing_value_tracks_true: ints(),
  nodes_hitrates: tensor(),
  membership_values: tensor(),
  leaf_targetids: ints.required,
  leaf_weights: tensor.required,
  n_targets: int(),
  aggregate_function: int(1),
};

export const ensembleTargets = (a: { n_targets: number | undefined; leaf_targetids: readonly number[] }) =>
  a.n_targets ?? a.leaf_targetids.reduce((most, id) => Math.max(most, id + 1), 1);

type RegressorAttributes = RegressorTrees &
  Base &
  Parameters<typeof targetsOf>[0] & { readonly aggregate_function: string };
type EnsembleAttributes = EnsembleTrees &
  Parameters<typeof ensembleTargets>[0] & { readonly aggregate_function: number };

/** TreeEnsembleRegressor of floats, without the transformation after it. */
export const treeRegressorOperator = defineOp({
  domain: 'sardonyx',
  name: 'TreeEnsembleRegressor',
  signature: 'X: T -> Y: float32',
  types: { T: ['float32', 'float64'] },
  attributes: { ...regressorAttributes, ...nodeTensors, target_weights_as_tensor: tensor() },
  guarded: true,
  infer: (c) => [matrix('float32', rowsOf(c), targetsOf(c.attributes))],
  computes: by(treeEnsemble, (c: Inference<RegressorAttributes>) => ({
    targets: targetsOf(c.attributes),
    aggregate: aggregateOf(c, c.attributes.aggregate_function),
    base: baseOf(c.attributes),
    trees: () => regressorTrees(c.attributes),
  })),
});

/** TreeEnsemble of floats, without the transformation after it. */
export const treeEnsembleOperator = defineOp({
  domain: 'sardonyx',
  name: 'TreeEnsemble',
  signature: 'X: T -> Y: T',
  types: { T: ['float32', 'float64'] },
  attributes: ensembleAttributes,
  guarded: true,
  infer: (c) => [matrix(c.element(0), rowsOf(c), ensembleTargets(c.attributes))],
  computes: by(treeEnsemble, (c: Inference<EnsembleAttributes>) => ({
    targets: ensembleTargets(c.attributes),
    aggregate: aggregateOf(c, c.attributes.aggregate_function),
    base: [],
    trees: () => ensembleTrees(c.attributes),
  })),
});
