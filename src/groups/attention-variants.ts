// Less common attention operators.
import { causalConvolutions } from '../backends/wasm/lower/causal-convolution.js';
import { linearAttentions } from '../backends/wasm/lower/linear-attention.js';
import type { Lowerings } from '../backends/wasm/lowering.js';

export { quantized as kernelSet } from '../../bindings/quantized.js';
export { causalConvWithState } from '../ops/onnx/nn/causal-conv-with-state.js';
export * from '../ops/onnx/nn/flex-attention.js';
export { linearAttention } from '../ops/onnx/nn/linear-attention.js';
export { linearAttentionOperator } from '../primitives/linear-attention.js';

export const lowerings: Lowerings = { ...causalConvolutions, ...linearAttentions };
