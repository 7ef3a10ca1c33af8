// Tensors that are another and more: padded, or repeated.

export { extensions as lowerings } from '../backends/wasm/lower/extension.js';
export { pad } from '../ops/onnx/tensor/pad.js';
export { tile } from '../ops/onnx/tensor/tile.js';
