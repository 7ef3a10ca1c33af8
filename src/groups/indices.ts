// Indices, and elements taken from and put to where they say.
export * from '../ops/generator/range.js';
export * from '../ops/tensor/gather-elements.js';
export * from '../ops/tensor/gather-nd.js';
export * from '../ops/tensor/scatter-elements.js';
export * from '../ops/tensor/scatter-nd.js';
