import { type AttributeProto, NodeProto, TensorProto } from '../../../../build/onnx.js';
import { baseOf } from '../../../primitives/tree-operators.js';
import { regressorTrees, type TreeNode } from '../../../primitives/trees.js';
import { ELEMENTS } from '../../../tensor/element-types.js';
import { numbersOf } from '../../../tensor/numbers.js';
import { int, tensorProto } from '../node.js';
import { constantIn, type Draft, draftOf, type Recipe, type Recipes, type Step } from '../step.js';
import { ended, isDouble, type Regressor, read, scored, transformed, transformOf, valuesOf } from './scoring.js';

interface Classifier extends Regressor {
  readonly classlabels_int64s?: readonly number[];
  readonly classlabels_strings?: readonly string[];
}

/** Renames a classifier's attributes to a regressor's. */
const asTargets = (node: NodeProto): NodeProto =>
  new NodeProto({
    ...node,
    attribute: node.attribute.map((a) => ({ ...a, name: a.name.replace(/^class_/, 'target_') }) as AttributeProto),
  });

/** Maps class indices to labels, which are a constant. */
function labelled(step: Step, draft: Draft, winner: string, names: readonly (string | number)[]): string {
  if (names.every((label, i) => label === i)) return winner;
  const name = step.fresh(`${step.node.output[0] ?? step.node.name}_labels`);
  const encoder = new TextEncoder();
  const t =
    typeof names[0] === 'string'
      ? new TensorProto({
          dataType: ELEMENTS.string.onnx,
          dims: [names.length],
          stringData: names.map((label) => encoder.encode(`${label}`)),
        })
      : tensorProto('int64', [names.length], names as readonly number[]);
  draft.nodes.push(constantIn(step, name, t));
  return draft.emit('Gather', [name, winner], [int('axis', 0)]);
}

const classifier: Recipe = (step) => {
  const values = valuesOf(asTargets(step.node)) as Classifier;
  const names = values.classlabels_strings?.length ? values.classlabels_strings : (values.classlabels_int64s ?? []);
  const ids = values.target_ids ?? [];
  const [base, trees] = [baseOf(values), read(() => regressorTrees(values))];
  const isBinary = names.length === 2 && base.length < 2 && ids.every((id) => id === ids[0]);
  const isOne = isBinary && ids[0] !== 1;
  const threshold = weightsOf(values).every((weight) => weight >= 0) ? 0.5 : 0;
  const only = (tree: TreeNode) => (isOne ? forFirst(tree) : tree);
  const forest = { trees: trees.map(only), targets: isOne ? 1 : names.length, aggregate: 'SUM', base };
  const draft = draftOf(step);
  const scores = scored(step, draft, forest, isDouble(values));
  const transform = transformOf(step);
  if (isOne) return classifiedByOne(step, draft, scores, names, transform, threshold);
  const winner = isBinary
    ? above(draft, draft.emit('Gather', [scores, draft.constant('int64', [], [1])], [int('axis', 1)]), threshold)
    : draft.emit('ArgMax', [scores], [int('axis', 1), int('keepdims', 0)]);
  const label = labelled(step, draft, winner, names);
  return ended(draft, [
    [label, step.node.output[0]],
    [transformed(draft, scores, transform), step.node.output[1]],
  ]);
};

const weightsOf = ({ target_weights: list, target_weights_as_tensor: t }: Regressor): number[] =>
  t ? Array.from(numbersOf(t)) : [...(list ?? [])];

/** Emits 1 if a score is above the threshold, else 0. */
const above = (draft: Draft, score: string, threshold: number): string =>
  draft.emit(
    'Cast',
    [draft.emit('Greater', [score, draft.constant('float32', [], [threshold])])],
    [int('to', ELEMENTS.int64.onnx)],
  );

/** Assigns all votes to the first class. In this case, a binary classifier has a single score. */
function forFirst(tree: TreeNode): TreeNode {
  const queue = new Set([tree]);
  for (const node of queue)
    if ('votes' in node)
      node.votes.splice(0, node.votes.length, ...node.votes.map(({ weight }) => ({ target: 0, weight })));
    else queue.add(node.whenTrue).add(node.whenFalse);
  return tree;
}

/**
 * Classifies by a single score, as onnxruntime does. The second class wins above 0.5 if no vote is negative, else above
 * 0.
 */
function classifiedByOne(
  step: Step,
  draft: Draft,
  score: string,
  names: readonly (string | number)[],
  transform: string,
  threshold: number,
): readonly NodeProto[] {
  const flat = draft.emit('Reshape', [score, draft.vector([-1])]);
  const winner = above(draft, flat, threshold);
  const isComplement = threshold > 0 && transform !== 'LOGISTIC';
  const other = isComplement
    ? draft.emit('Sub', [draft.constant('float32', [], [1]), score])
    : draft.emit('Neg', [score]);
  const both = draft.emit('Concat', [other, score], [int('axis', 1)]);
  const label = labelled(step, draft, winner, names);
  const bounded = transform === 'LOGISTIC' || transform === 'PROBIT' ? transform : 'NONE';
  return ended(draft, [
    [label, step.node.output[0]],
    [transformed(draft, both, bounded), step.node.output[1]],
  ]);
}

/** https://onnx.ai/onnx/operators/onnx_aionnxml_TreeEnsembleClassifier.html */
export const CLASSIFIERS: Recipes = { 'ai.onnx.ml.TreeEnsembleClassifier 5': { up: classifier } };
