// Transposed convolution, for decoders and derivatives of convolutions.

export { transposedConvolutions as lowerings } from '../backends/wasm/lower/conv-transpose.js';
export * from '../ops/onnx/nn/conv-transpose.js';
export { convTransposeOperator } from '../primitives/conv-transpose.js';
