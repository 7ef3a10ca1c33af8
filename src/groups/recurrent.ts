// Recurrent networks.
export * from '../ops/rnn/gru.js';
export * from '../ops/rnn/lstm.js';
export * from '../ops/rnn/rnn.js';
