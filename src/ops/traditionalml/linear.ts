import { tensorType } from '../../graph/types.js';
import { floats, int, ints, string, strings } from '../attributes.js';
import { defineOp } from '../definition.js';
import { bestClasses, type ClassLabels, classCount, labelsOf, labelType } from './class-labels.js';
import { logistic, POST_TRANSFORMS } from './post-transform.js';
import { FEATURES, type FeatureRows, featureRows, rowCount } from './rows.js';

/** X·coefficientsᵀ + intercepts, one column per row of the coefficients. */
function linearScores(
  { rows, columns, values }: FeatureRows,
  coefficients: readonly number[],
  intercepts: readonly number[],
  targets: number,
): Float64Array {
  const scores = new Float64Array(rows * targets);
  for (let row = 0; row < rows; row++) {
    for (let t = 0; t < targets; t++) {
      let total = intercepts[t] ?? 0;
      for (let k = 0; k < columns; k++)
        total += (values[row * columns + k] as number) * (coefficients[t * columns + k] as number);
      scores[row * targets + t] = total;
    }
  }
  return scores;
}

function transformed(scores: Float64Array, columns: number, name: string): Float64Array {
  if (name !== 'NONE') for (let i = 0; i < scores.length; i += columns) POST_TRANSFORMS[name]?.(scores, i, columns);
  return scores;
}

/** https://onnx.ai/onnx/operators/onnx_aionnxml_LinearRegressor.html */
export const linearRegressor = defineOp({
  domain: 'ai.onnx.ml',
  name: 'LinearRegressor',
  signature: 'X: T -> Y: float32',
  types: { T: FEATURES },
  attributes: {
    coefficients: floats.required,
    intercepts: floats([]),
    targets: int(1),
    post_transform: string('NONE'),
  },
  infer: (c) => [tensorType('float32', [rowCount(c), c.attributes.targets])],
  evaluate(c) {
    const { coefficients, intercepts, targets, post_transform } = c.attributes;
    const x = featureRows(c.tensor(0));
    const scores = transformed(linearScores(x, coefficients, intercepts, targets), targets, post_transform);
    return [{ type: 'float32', dims: [x.rows, targets], data: Float32Array.from(scores) }];
  },
});

interface LabelAttributes {
  readonly classlabels_strings: readonly string[] | undefined;
  readonly classlabels_ints: readonly number[] | undefined;
}

const classLabels = (a: LabelAttributes): ClassLabels => ({
  strings: a.classlabels_strings,
  integers: a.classlabels_ints,
});

/** The scores of two classes from that of the second. */
function splitBinary(scores: Float64Array, post: string): Float64Array {
  const both = new Float64Array(2 * scores.length);
  scores.forEach((score, row) => {
    both[2 * row] = post === 'LOGISTIC' ? logistic(-score) : -score;
    both[2 * row + 1] = post === 'LOGISTIC' ? logistic(score) : score;
  });
  return post === 'LOGISTIC' ? both : transformed(both, 2, post);
}

/** https://onnx.ai/onnx/operators/onnx_aionnxml_LinearClassifier.html */
export const linearClassifier = defineOp({
  domain: 'ai.onnx.ml',
  name: 'LinearClassifier',
  signature: 'X: T1 -> Y: T2, Z: float32',
  types: { T1: FEATURES, T2: ['string', 'int64'] },
  attributes: {
    coefficients: floats.required,
    intercepts: floats([]),
    multi_class: int(0),
    post_transform: string('NONE'),
    classlabels_strings: strings(),
    classlabels_ints: ints(),
  },
  infer(c) {
    const labels = classLabels(c.attributes);
    const rows = rowCount(c);
    return [labelType(labels, [rows]), tensorType('float32', [rows, classCount(labels)])];
  },
  evaluate(c) {
    const { coefficients, intercepts, post_transform } = c.attributes;
    const labels = classLabels(c.attributes);
    const classes = classCount(labels);
    const x = featureRows(c.tensor(0));
    const scored = Math.round(coefficients.length / x.columns);
    const scores = linearScores(x, coefficients, intercepts, scored);
    const isBinary = scored === 1 && classes === 2;
    const chosen = isBinary ? Int32Array.from(scores, (s) => Number(s > 0)) : bestClasses(scores, x.rows, scored);
    const all = isBinary ? splitBinary(scores, post_transform) : transformed(scores, scored, post_transform);
    return [labelsOf(labels, chosen), { type: 'float32', dims: [x.rows, classes], data: Float32Array.from(all) }];
  },
});
