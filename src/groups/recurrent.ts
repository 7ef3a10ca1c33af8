// Recurrent networks.

export { recurrences as lowerings } from '../backends/wasm/lower/recurrent.js';
export * from '../ops/onnx/rnn/gru.js';
export * from '../ops/onnx/rnn/lstm.js';
export * from '../ops/onnx/rnn/rnn.js';
