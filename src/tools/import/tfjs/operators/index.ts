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

/** Operators of TensorFlow.js' graph models. */
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

/** Outputs of operators that have several, as functions call them. */
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

/** Why there is no way. */
export const REASONS: readonly (readonly [RegExp, string])[] = [
  [
    /^(Switch|Merge|Enter|Exit|NextIteration|LoopCond)$/,
    'control flow of TensorFlow 1 has no equal: convert the model with control_flow_v2',
  ],
  [/^TensorArray/, 'arrays of TensorFlow 1 have no equal: convert the model with control_flow_v2'],
  [/HashTable|LookupTable|InitializeTable/, 'tables of the host are not part of an ONNX model'],
  [/^String|^StaticRegex/, 'ONNX has no such operator on text'],
  [/^Ragged|^Sparse/, 'ONNX has no ragged and no sparse values of that kind'],
  [/^SimpleML/, 'decision forests are files of their own'],
];
