// Activations of few models.
export * from '../ops/math/hardmax.js';
export * from '../ops/math/prelu.js';
export * from '../ops/nn/shrink.js';
