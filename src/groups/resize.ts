// Resizing of images.

export { resizes as lowerings } from '../backends/wasm/lower/resize.js';
export * from '../ops/onnx/tensor/resize.js';
export { resizeOperator } from '../primitives/resize.js';
