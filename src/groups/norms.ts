// Normalisations that most of today's networks do without.
export * from '../ops/nn/instance-normalization.js';
export * from '../ops/nn/lp-normalization.js';
export * from '../ops/nn/lrn.js';
export * from '../ops/nn/mean-variance-normalization.js';
