// Losses.
export * from '../nn/loss.js';
