import { tensorType } from '../../graph/types.js';
import { floats, ints, strings, tensor } from '../attributes.js';
import { defineOp } from '../definition.js';
import { bestClasses, type ClassLabels, classCount, labelsOf, labelType } from './class-labels.js';
import { addVotes, listOf, parseForest } from './forest.js';
import { forestOf, nodeAttributes } from './forest-attributes.js';
import { logistic, POST_TRANSFORMS } from './post-transform.js';
import { FEATURES, featureRows, rowCount } from './rows.js';

interface LabelAttributes {
  readonly classlabels_strings: readonly string[] | undefined;
  readonly classlabels_int64s: readonly number[] | undefined;
}

const classLabels = (a: LabelAttributes): ClassLabels => ({
  strings: a.classlabels_strings,
  integers: a.classlabels_int64s,
});

/**
 * Two classes of which the trees score only one: that score decides, against ½ where all weights are positive (a
 * probability), else against 0; the other class gets the complement.
 */
function splitBinary(scores: Float64Array, only: number, areProbabilities: boolean, post: string): Int32Array {
  const rows = scores.length / 2;
  const chosen = new Int32Array(rows);
  for (let row = 0; row < rows; row++) {
    const score = scores[2 * row + only] as number;
    chosen[row] = Number(score > (areProbabilities ? 0.5 : 0));
    const isLogistic = !areProbabilities && post === 'LOGISTIC';
    scores[2 * row + 1] = isLogistic ? logistic(score) : score;
    scores[2 * row] = areProbabilities ? 1 - score : isLogistic ? logistic(-score) : -score;
  }
  return chosen;
}

/** https://onnx.ai/onnx/operators/onnx_aionnxml_TreeEnsembleClassifier.html */
export const treeEnsembleClassifier = defineOp({
  domain: 'ai.onnx.ml',
  name: 'TreeEnsembleClassifier',
  signature: 'X: T1 -> Y: T2, Z: float32',
  types: { T1: FEATURES, T2: ['string', 'int64'] },
  attributes: {
    ...nodeAttributes,
    class_treeids: ints.required,
    class_nodeids: ints.required,
    class_ids: ints.required,
    class_weights: floats(),
    class_weights_as_tensor: tensor(),
    classlabels_strings: strings(),
    classlabels_int64s: ints(),
  },
  infer(c) {
    const labels = classLabels(c.attributes);
    const rows = rowCount(c);
    return [labelType(labels, [rows]), tensorType('float32', [rows, classCount(labels)])];
  },
  evaluate(c) {
    const a = c.attributes;
    const labels = classLabels(a);
    const classes = classCount(labels);
    const forest = forestOf(c.node, (fail) =>
      parseForest(
        a,
        {
          treeids: a.class_treeids,
          nodeids: a.class_nodeids,
          ids: a.class_ids,
          weights: listOf(a.class_weights, a.class_weights_as_tensor),
        },
        fail,
      ),
    );
    const x = featureRows(c.tensor(0));
    const scores = new Float64Array(x.rows * classes);
    addVotes(forest, x, classes, scores);
    const only = forest.targets[0] ?? 0;
    const isBinary = classes === 2 && forest.targets.every((id) => id === only);
    const base = listOf(a.base_values, a.base_values_as_tensor);
    if (base.length === 1 && isBinary) for (let row = 0; row < x.rows; row++) add(scores, 2 * row + only, base[0]);
    else for (let i = 0; i < scores.length; i++) add(scores, i, base[i % classes]);
    const areProbabilities = isBinary && forest.weights.every((weight) => weight >= 0);
    const chosen = isBinary
      ? splitBinary(scores, only, areProbabilities, a.post_transform)
      : bestClasses(scores, x.rows, classes);
    const isDone = a.post_transform === 'NONE' || isBinary;
    if (!isDone) for (let r = 0; r < x.rows; r++) POST_TRANSFORMS[a.post_transform]?.(scores, r * classes, classes);
    return [labelsOf(labels, chosen), { type: 'float32', dims: [x.rows, classes], data: Float32Array.from(scores) }];
  },
});

const add = (scores: Float64Array, at: number, value: number | undefined) => {
  scores[at] = (scores[at] as number) + (value ?? 0);
};
