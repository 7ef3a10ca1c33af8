// Images sampled at computed places.
export * from '../ops/nn/deform-conv.js';
export * from '../ops/nn/deform-sample.js';
export * from '../ops/nn/grid-sample.js';
