import { arithmetic } from './arithmetic.js';
import { control } from './control.js';
import { convolution } from './convolution.js';
import { creation } from './creation.js';
import { lists } from './lists.js';
import { matrices } from './matrices.js';
import type { Operators } from './operator.js';
import { reduction } from './reduction.js';
import { selection } from './selection.js';
import { shapes } from './shapes.js';
import { spectral } from './spectral.js';

/** The supported operators of TensorFlow.js graph models. */
export const OPERATORS: Operators = {
  ...arithmetic,
  ...control,
  ...convolution,
  ...creation,
  ...lists,
  ...matrices,
  ...reduction,
  ...selection,
  ...shapes,
  ...spectral,
};

/** Names of the outputs of operators with several, as used in functions. */
export const OUTPUTS: Readonly<Record<string, readonly string[]>> = {
  FusedBatchNorm: ['y', 'batch_mean', 'batch_variance'],
  FusedBatchNormV2: ['y', 'batch_mean', 'batch_variance'],
  FusedBatchNormV3: ['y', 'batch_mean', 'batch_variance'],
  TopKV2: ['values', 'indices'],
  Unique: ['y', 'idx'],
  UniqueV2: ['y', 'idx'],
  ListDiff: ['out', 'idx'],
  NonMaxSuppressionV4: ['selected_indices', 'valid_outputs'],
  NonMaxSuppressionV5: ['selected_indices', 'selected_scores', 'valid_outputs'],
  TensorListPopBack: ['output_handle', 'tensor'],
};

/** Reasons why operators are not supported. */
export const REASONS: readonly (readonly [RegExp, string])[] = [
  [
    /^(Switch|Merge|Enter|Exit|NextIteration|LoopCond)$/,
    'control flow of TensorFlow 1 is not supported; convert the model with control_flow_v2',
  ],
  [/^TensorArray/, 'tensor arrays of TensorFlow 1 are not supported; convert the model with control_flow_v2'],
  [/HashTable|LookupTable|InitializeTable/, 'hash tables are not supported'],
  [/^String|^StaticRegex/, 'ONNX does not support this string operator'],
  [/^Ragged|^Sparse/, 'ONNX does not support these ragged or sparse values'],
  [/^SimpleML/, 'decision forests are not supported'],
];
