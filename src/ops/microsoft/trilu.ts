import { defineOp } from '../../schema/definition.js';
import { trilu as onnx } from '../onnx/tensor/trilu.js';
import { asOnnx } from './as-onnx.js';

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.Trilu: the predecessor of ONNX's operator. */
export const microsoftTrilu = defineOp({
  domain: 'com.microsoft',
  name: 'Trilu',
  signature: 'X: T, k?: int64 -> Y: T',
  types: onnx.types,
  attributes: onnx.attributes,
  planned: onnx.planned,
  infer: onnx.infer,
  decompose: asOnnx('Trilu'),
});
