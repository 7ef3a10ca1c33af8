import type { AnyOperator } from '../../schema/definition.js';
import { dequantizeLinear as dequantize } from '../onnx/quantization/dequantize-linear.js';
import { quantizeLinear as quantize } from '../onnx/quantization/quantize-linear.js';

/** ONNX's operator of the same name, in this domain: ONNX's first version supports fewer types. */
const asInOnnx = (operator: AnyOperator): AnyOperator => ({ ...operator, domain: 'com.microsoft', since: 1 });

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.QuantizeLinear */
export const quantizeLinear = asInOnnx(quantize);
/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.DequantizeLinear */
export const dequantizeLinear = asInOnnx(dequantize);
