// Normalisations that most of today's networks do without.
export * from '../nn/instance-normalization.js';
export * from '../nn/lp-normalization.js';
export * from '../nn/lrn.js';
export * from '../nn/mean-variance-normalization.js';
