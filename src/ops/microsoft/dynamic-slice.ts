import type { AnyOperator } from '../../schema/definition.js';
import { defineOp } from '../../schema/definition.js';
import { slice } from '../onnx/tensor/slice.js';
import { asOnnx } from './as-onnx.js';

const onnx = slice[0] as AnyOperator;

/** https://github.com/onnx/onnx/blob/rel-1.3/docs/Operators.md#experimental-dynamicslice: Slice without steps. */
export const dynamicSlice = defineOp({
  name: 'DynamicSlice',
  signature: 'data: T, starts: Tind, ends: Tind, axes?: Tind -> output: T',
  types: onnx.types,
  planned: onnx.planned,
  infer: onnx.infer,
  decompose: asOnnx('Slice'),
});
