// Random numbers.

export { dropouts as lowerings } from '../backends/wasm/lower/dropout.js';
export * from '../ops/onnx/generator/bernoulli.js';
export * from '../ops/onnx/generator/multinomial.js';
export * from '../ops/onnx/generator/random.js';
export * from '../ops/onnx/nn/dropout.js';
