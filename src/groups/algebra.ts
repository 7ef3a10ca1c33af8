// Linear algebra other than matrix products.

export { runningSums as lowerings } from '../backends/wasm/lower/cum-sum.js';
export * from '../ops/onnx/generator/eye-like.js';
export * from '../ops/onnx/math/cum-sum.js';
export * from '../ops/onnx/math/det.js';
export * from '../ops/onnx/math/einsum.js';
export * from '../ops/onnx/tensor/trilu.js';
