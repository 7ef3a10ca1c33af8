// What works on the bits of elements.
export * from '../ops/logical/bitwise.js';
export * from '../ops/tensor/bit-cast.js';
