// Recurrent networks.
export * from '../rnn/gru.js';
export * from '../rnn/lstm.js';
export * from '../rnn/rnn.js';
