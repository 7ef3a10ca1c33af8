import type { AnyOperator } from '../../schema/definition.js';
import { dequantizeLinear as dequantize } from '../onnx/quantization/dequantize-linear.js';
import { quantizeLinear as quantize } from '../onnx/quantization/quantize-linear.js';

/** What came to ONNX later under the same name: its first version took fewer types, and had them under this domain. */
const asInOnnx = (operator: AnyOperator): AnyOperator => ({ ...operator, domain: 'com.microsoft', since: 1 });

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.QuantizeLinear */
export const quantizeLinear = asInOnnx(quantize);
/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.DequantizeLinear */
export const dequantizeLinear = asInOnnx(dequantize);
