import { linearAttention as ofOnnx } from '../onnx/nn/linear-attention.js';

/**
 * https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.LinearAttention: ONNX's operator of that name.
 */
export const linearAttention = { ...ofOnnx, domain: 'com.microsoft', since: 1 };
