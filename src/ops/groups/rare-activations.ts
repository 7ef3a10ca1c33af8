// Activations of few models.
export * from '../math/hardmax.js';
export * from '../math/prelu.js';
export * from '../nn/shrink.js';
