// Images sampled at computed places.
export * from '../nn/deform-conv.js';
export * from '../nn/deform-sample.js';
export * from '../nn/grid-sample.js';
