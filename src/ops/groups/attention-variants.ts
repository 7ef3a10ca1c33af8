// Attention beside the common one.
export * from '../nn/causal-conv-with-state.js';
export * from '../nn/flex-attention.js';
export * from '../nn/linear-attention.js';
