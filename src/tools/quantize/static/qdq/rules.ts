import { floatAt, intAt } from '../../nodes.js';
import { constantOf } from '../desk.js';
import { hasConstantPadding, padsWith } from '../padding.js';
import {
  hasFloatOutputs,
  isMarked,
  type Marks,
  markActivation,
  markBias,
  markOutputs,
  markShared,
  markWeight,
  replaceUpstream,
  type Step,
} from './marks.js';

/** Marks the values that the quantization of a node requires. */
export type Rule = (marks: Marks, step: Step) => void;

/** Marks all inputs and outputs. */
export const everything: Rule = (marks, step) => {
  for (const name of step.input) markActivation(marks, name);
  markOutputs(marks, step, step.output);
};

/** Marks a product: its input, its weight with channels along an axis, its bias and output. */
const product =
  (channels: (step: Step) => number, betaOf = (_: Step) => 1): Rule =>
  (marks, step) => {
    const [input = '', weight = '', bias] = step.input;
    markActivation(marks, input);
    markOutputs(marks, step, step.output);
    markWeight(marks, weight, channels(step));
    if (bias) markBias(marks, { step, name: bias, input, weight, beta: betaOf(step) });
  };

/**
 * Marks a product of two values, each of which may be constant. onnxruntime supports per-column scales only for
 * matrices on the right.
 */
const matMul: Rule = (marks, step) => {
  for (const [i, name] of step.input.entries()) {
    const rank = constantOf(marks.desk, name)?.tensor.dims.length;
    if (rank === undefined) markActivation(marks, name);
    else markWeight(marks, name, i === 1 && rank === 2 ? 1 : undefined);
  }
  markOutputs(marks, step, step.output);
};

/** Shares the parameters of a quantized input with the output. */
const moved: Rule = (marks, step) => {
  const [input = ''] = step.input;
  if (marks.desk.settings.force) markActivation(marks, input);
  if (isMarked(marks, input)) markShared(marks, step, step.output[0], input);
};

const since =
  (opset: number, rule: Rule): Rule =>
  (marks, step) => {
    if (marks.desk.opset >= opset) rule(marks, step);
  };

/** Removes a Relu or Clip if the range of its output makes it redundant; otherwise, marks its input. */
const bounded: Rule = (marks, step) => {
  const { symmetricActivations, keepActivations = false } = marks.desk.settings;
  const [input = ''] = step.input;
  if (!isMarked(marks, input)) return;
  const mayGo = !symmetricActivations && !keepActivations && !hasFloatOutputs(marks, step.node);
  const goes = mayGo && replaceUpstream(marks, step);
  if (!goes) markActivation(marks, input);
  markOutputs(marks, step, step.output.slice(0, 1));
};

const split: Rule = (marks, step) => {
  const [input = ''] = step.input;
  markActivation(marks, input);
  for (const name of step.output) markShared(marks, step, name, input);
};

const lookedUp: Rule = (marks, step) => {
  const [input = ''] = step.input;
  if (constantOf(marks.desk, input) || marks.desk.settings.force) markActivation(marks, input);
  if (isMarked(marks, input)) markShared(marks, step, step.output[0], input);
};

const chosen: Rule = (marks, step) => {
  const branches = step.input.slice(1, 3);
  if (marks.desk.settings.force) for (const name of branches) markActivation(marks, name);
  if (branches.every((name) => isMarked(marks, name))) markOutputs(marks, step, step.output);
};

const pad: Rule = (marks, step) => {
  for (const name of step.input) markActivation(marks, name);
  const [input = ''] = step.input;
  const isThere = !hasConstantPadding(step.node) || padsWith(marks.desk, step.node) === 0;
  if (isThere) markShared(marks, step, step.output[0], input);
  else markOutputs(marks, step, step.output.slice(0, 1));
};

const normalized: Rule = (marks, step) => {
  const [input = '', scale = '', bias] = step.input;
  markActivation(marks, input);
  if (constantOf(marks.desk, scale)) markWeight(marks, scale, 1);
  else markActivation(marks, scale);
  if (bias) markBias(marks, { step, name: bias, input, weight: scale, beta: 1 });
  markOutputs(marks, step, step.output);
};

const gemm = product(
  ({ node }) => (intAt(node, 'transB', 0) > 0 ? 0 : 1),
  ({ node }) => floatAt(node, 'beta', 1),
);

/** Rules by operator. All values of other operators are marked. */
export const RULES: Readonly<Record<string, Rule>> = {
  Conv: product(() => 0),
  ConvTranspose: product(() => 1),
  Gemm: gemm,
  MatMul: matMul,
  Relu: bounded,
  Clip: bounded,
  Reshape: moved,
  Transpose: moved,
  Squeeze: moved,
  Unsqueeze: moved,
  Flatten: moved,
  Slice: moved,
  TopK: moved,
  AveragePool: moved,
  MaxPool: since(12, moved),
  Resize: since(11, moved),
  Split: split,
  Gather: lookedUp,
  GatherElements: lookedUp,
  Where: chosen,
  Pad: pad,
  InstanceNormalization: normalized,
  LayerNormalization: normalized,
  BatchNormalization: normalized,
};
