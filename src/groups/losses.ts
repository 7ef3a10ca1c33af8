// Losses.
export * from '../ops/nn/loss.js';
