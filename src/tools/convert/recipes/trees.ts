import { NodeProto } from '../../../../build/onnx.js';
import { baseOf, targetsOf } from '../../../primitives/tree-operators.js';
import { type EnsembleTrees, ensembleTrees, regressorTrees } from '../../../primitives/trees.js';
import { numbersOf } from '../../../tensor/numbers.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import {
  attributeOf,
  block,
  floats,
  int,
  numberAt,
  string,
  textAt,
  withAttributes,
  withoutAttributes,
} from '../node.js';
import { type Draft, draftOf, neededElement, type Recipe, type Recipes, type Step } from '../step.js';
import { AGGREGATES, asRegressor, type Forest, laid, TRANSFORMS } from '../tree-lists.js';
import { ended, isDouble, type Regressor, read, scored, transformed, transformOf, valuesOf } from './scoring.js';

/**
 * Emits the two transforms whose numbers are swapped in onnxruntime as operators. With a single target, they have no
 * effect.
 */
function numbered(step: Step, draft: Draft, forest: Forest, isWide: boolean): string {
  const transform = transformOf(step);
  if (transform !== 'LOGISTIC' && transform !== 'SOFTMAX') return scored(step, draft, forest, isWide, transform);
  const scores = scored(step, draft, forest, isWide);
  return forest.targets > 1 ? transformed(draft, scores, transform) : scores;
}

const regressor: Recipe = (step) => {
  const values = valuesOf(step.node) as Regressor;
  const aggregate = textAt(step.node, 'aggregate_function') ?? 'SUM';
  const forest = {
    trees: read(() => regressorTrees(values)),
    targets: targetsOf(values),
    aggregate,
    base: baseOf(values),
  };
  const draft = draftOf(step);
  const y = numbered(step, draft, forest, isDouble(values));
  return ended(draft, [[y, step.node.output[0]]]);
};

type Ensemble = EnsembleTrees & {
  readonly n_targets: number | undefined;
  readonly aggregate_function: number | undefined;
};

const ensemble: Recipe = (step) => {
  const { node } = step;
  if (neededElement(step, 0) !== 'float32')
    block(`TreeEnsembleRegressor returns float32, but the input is ${neededElement(step, 0)}`);
  const values = valuesOf(node) as Ensemble;
  const aggregate =
    AGGREGATES[values.aggregate_function ?? 1] ?? block(`unknown aggregate_function=${values.aggregate_function}`);
  const trees = read(() => ensembleTrees(values));
  const lists = laid({ trees, targets: 1, aggregate, base: [] });
  if (lists.branches.some(({ branch }) => branch.test === 'MEMBER')) block('BRANCH_MEMBER needs TreeEnsemble 5');
  const targets = values.n_targets ?? lists.leaves.reduce((most, { target }) => Math.max(most, target + 1), 1);
  const attribute = [
    int('n_targets', targets),
    string('aggregate_function', aggregate),
    string('post_transform', TRANSFORMS[numberAt(node, 'post_transform') ?? 0] ?? 'NONE'),
    ...asRegressor(lists),
  ];
  return [new NodeProto({ ...node, opType: 'TreeEnsembleRegressor', attribute })];
};

const TENSORS = ['nodes_values', 'nodes_hitrates', 'base_values', 'target_weights', 'class_weights'];

/** Replaces tensors by lists of float32, as before version 3. */
const asLists: Recipe = ({ node }) => {
  const values = valuesOf(node) as Readonly<Record<string, TensorValue | undefined>>;
  const given = TENSORS.filter((name) => attributeOf(node, `${name}_as_tensor`));
  const moved = given.map((name) => {
    const { type, ...contents } = values[`${name}_as_tensor`] as TensorValue;
    if (type !== 'float32') block(`${name}_as_tensor of type ${type} needs ${node.opType} 3`);
    return floats(name, Array.from(numbersOf({ type, ...contents } as TensorValue)));
  });
  return [withAttributes(withoutAttributes(node, ...given.map((name) => `${name}_as_tensor`)), ...moved)];
};

/** https://onnx.ai/onnx/operators/onnx_aionnxml_TreeEnsembleRegressor.html */
export const TREES: Recipes = {
  'ai.onnx.ml.TreeEnsembleRegressor 3': { down: asLists },
  'ai.onnx.ml.TreeEnsembleClassifier 3': { down: asLists },
  'ai.onnx.ml.TreeEnsembleRegressor 5': { up: regressor },
  'ai.onnx.ml.TreeEnsemble 5': { down: ensemble },
};
