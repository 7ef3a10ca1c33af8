// Attention beside the common one.
export * from '../ops/nn/causal-conv-with-state.js';
export * from '../ops/nn/flex-attention.js';
export * from '../ops/nn/linear-attention.js';
