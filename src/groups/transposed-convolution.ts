// Of decoders and of what derivatives of convolutions are made of.

export { transposedConvolutions as lowerings } from '../backends/wasm/lower/conv-transpose.js';
export * from '../ops/onnx/nn/conv-transpose.js';
export { convTransposeOperator } from '../primitives/conv-transpose.js';
