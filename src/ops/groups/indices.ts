// Indices, and elements taken from and put to where they say.
export * from '../generator/range.js';
export * from '../tensor/gather-elements.js';
export * from '../tensor/gather-nd.js';
export * from '../tensor/scatter-elements.js';
export * from '../tensor/scatter-nd.js';
