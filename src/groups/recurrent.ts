// Recurrent networks.

export { recurrences as lowerings } from '../backends/wasm/lower/recurrent.js';
export * from '../ops/rnn/gru.js';
export * from '../ops/rnn/lstm.js';
export * from '../ops/rnn/rnn.js';
