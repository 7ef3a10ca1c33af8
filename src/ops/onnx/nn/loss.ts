import { intAttribute } from '../../../graph/attributes.js';
import type { Value } from '../../../graph/graph.js';
import { tensorType } from '../../../graph/types.js';
import { int, string } from '../../../schema/attributes.js';
import { defineOp, type Evaluation, type Inference } from '../../../schema/definition.js';
import { FLOATS, INDICES } from '../../../schema/element-sets.js';
import { like, requireDims } from '../../../schema/shapes.js';
import { numbersOf, tensorOf } from '../../../tensor/numbers.js';
import { elementCount, integers, type TensorValue } from '../../../tensor/tensor-value.js';

interface LossAttributes {
  readonly reduction: string;
  readonly ignore_index: number | undefined;
}

const attributes = { reduction: string('mean'), ignore_index: int() };

function inferLoss(c: Inference<LossAttributes>) {
  const { reduction } = c.attributes;
  if (!['none', 'sum', 'mean'].includes(reduction)) {
    c.fail('INVALID_ATTRIBUTE', `reduction "${reduction}" is not one of none, sum, mean`);
  }
  const scores = c.dims(0);
  if (scores) requireDims(c, 1, scores.toSpliced(1, 1));
  requireDims(c, 2, [scores?.[1]]);
  return tensorType(c.element(0), reduction === 'none' ? c.dims(1) : []);
}

/** −weight[label] · input[n, label, …]; the mean is weighted by the weights of the labels. */
function evaluateLoss(c: Evaluation<LossAttributes>): TensorValue {
  const { reduction, ignore_index } = c.attributes;
  const { type, dims } = c.tensor(0);
  const input = numbersOf(c.tensor(0));
  const labels = integers(c.tensor(1));
  const weights = c.given(2) ? numbersOf(c.tensor(2)) : undefined;
  const classes = dims[1] as number;
  const inner = elementCount(dims.slice(2));
  let total = 0;
  const losses = Float64Array.from(labels, (label, at) => {
    if (label === ignore_index) return 0;
    if (label < 0 || label >= classes)
      return c.fail('INVALID_VALUE', `label ${label} is not one of ${classes} classes`);
    const weight = weights ? (weights[label] as number) : 1;
    total += weight;
    const from = Math.floor(at / inner) * classes * inner + label * inner + (at % inner);
    return -weight * (input[from] as number);
  });
  if (reduction === 'none') return tensorOf(type, c.tensor(1).dims, losses);
  const sum = losses.reduce((a, b) => a + b, 0);
  return tensorOf(type, [], [reduction === 'mean' ? sum / total : sum]);
}

/** https://onnx.ai/onnx/operators/onnx__NegativeLogLikelihoodLoss.html */
export const negativeLogLikelihoodLoss = defineOp({
  name: 'NegativeLogLikelihoodLoss',
  since: 12,
  signature: 'input: T, target: Tind, weight?: T -> loss: T',
  types: { T: FLOATS, Tind: INDICES },
  attributes,
  infer: (c) => [inferLoss(c)],
  evaluate: (c) => [evaluateLoss(c)],
});

/** https://onnx.ai/onnx/operators/onnx__SoftmaxCrossEntropyLoss.html */
export const softmaxCrossEntropyLoss = defineOp({
  name: 'SoftmaxCrossEntropyLoss',
  since: 12,
  signature: 'scores: T, labels: Tind, weights?: T -> output: T, log_prob?: T',
  types: { T: FLOATS, Tind: INDICES },
  attributes,
  infer: (c) => [inferLoss(c), like(c, 0, c.dims(0))],
  decompose(c) {
    const [logarithms] = c.emit('LogSoftmax', [c.input(0)], { axis: intAttribute(1) }) as [Value];
    const inputs = [logarithms, c.input(1), c.given(2) ? c.input(2) : null];
    const loss = c.emit('NegativeLogLikelihoodLoss', inputs, c.node.attributes);
    return [...loss, logarithms];
  },
});
