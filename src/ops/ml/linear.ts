import type { Value } from '../../graph/graph.js';
import { tensorType } from '../../graph/types.js';
import { floats, int, ints, string, strings } from '../../schema/attributes.js';
import { matrix, NUMERIC, rowsOf } from '../../schema/batch.js';
import { type Decomposition, defineOp } from '../../schema/definition.js';
import { classify, labelsOf, transformScores } from './classify.js';
import { floatTensor, indices, TO_FLOAT32 } from './constants.js';
import { transformOf } from './post-transform.js';

/** X · coefficientsᵀ + intercepts, [rows, targets]; undefined if the number of features is unknown. */
function product(
  c: Decomposition<unknown>,
  coefficients: readonly number[],
  intercepts: readonly number[] | undefined,
  targets: (features: number) => number,
): { scores: Value; columns: number } | undefined {
  const dims = c.dims(0);
  const features = dims?.at(-1);
  if (!dims || typeof features !== 'number' || rowsOf(c) === undefined) return undefined;
  const columns = targets(features);
  if (columns * features !== coefficients.length || !Number.isInteger(columns))
    c.fail('INVALID_ATTRIBUTE', `there are ${coefficients.length} coefficients for ${features} features`);
  const bias = intercepts?.length ? c.constant(floatTensor(intercepts, [intercepts.length])) : null;
  if (bias && intercepts?.length !== columns)
    c.fail('INVALID_ATTRIBUTE', `there are ${intercepts?.length} intercepts for ${columns} rows of coefficients`);
  let x = c.input(0);
  if (c.element(0) !== 'float32') [x] = c.emit('Cast', [x], TO_FLOAT32) as [Value];
  if (dims.length === 1) [x] = c.emit('Reshape', [x, c.constant(indices(1, features))]) as [Value];
  const weights = c.constant(floatTensor(coefficients, [columns, features]));
  const [scores] = c.emit('Gemm', [x, weights, bias], { transB: { type: 'int', value: 1 } }) as [Value];
  return { scores, columns };
}

/** https://onnx.ai/onnx/operators/onnx_aionnxml_LinearRegressor.html */
export const linearRegressor = defineOp({
  domain: 'ai.onnx.ml',
  name: 'LinearRegressor',
  signature: 'X: T -> Y: float32',
  types: { T: NUMERIC },
  attributes: { coefficients: floats(), intercepts: floats(), post_transform: string('NONE'), targets: int(1) },
  infer: (c) => [matrix('float32', rowsOf(c), c.attributes.targets)],
  decompose(c) {
    const { coefficients = [], intercepts, targets, post_transform } = c.attributes;
    const linear = product(c, coefficients, intercepts, () => targets);
    return linear && [transformScores(c, linear.scores, targets, transformOf(c, post_transform))];
  },
});

/** https://onnx.ai/onnx/operators/onnx_aionnxml_LinearClassifier.html; one row of coefficients may serve two classes. */
export const linearClassifier = defineOp({
  domain: 'ai.onnx.ml',
  name: 'LinearClassifier',
  signature: 'X: T1 -> Y: T2, Z: float32',
  types: { T1: NUMERIC, T2: ['string', 'int64'] },
  attributes: {
    classlabels_ints: ints(),
    classlabels_strings: strings(),
    coefficients: floats.required,
    intercepts: floats(),
    multi_class: int(0),
    post_transform: string('NONE'),
  },
  infer(c) {
    const { classlabels_ints, classlabels_strings, intercepts, coefficients } = c.attributes;
    const labels = labelsOf(c, classlabels_ints, classlabels_strings);
    const rows = rowsOf(c);
    const features = c.dims(0)?.at(-1);
    const columns = intercepts?.length || (typeof features === 'number' ? coefficients.length / features : c.unknown());
    const scores = columns === 1 && labels.dims[0] === 2 ? 2 : columns;
    return [tensorType(labels.type, rows === undefined ? undefined : [rows]), matrix('float32', rows, scores)];
  },
  decompose(c) {
    const { classlabels_ints, classlabels_strings, coefficients, intercepts, post_transform } = c.attributes;
    const linear = product(c, coefficients, intercepts, (features) => coefficients.length / features);
    if (!linear) return undefined;
    const labels = labelsOf(c, classlabels_ints, classlabels_strings);
    const transform = transformOf(c, post_transform);
    return classify(c, linear.scores, linear.columns, { labels, transform, second: 'complement' });
  },
});
