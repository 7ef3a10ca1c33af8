// What works on the bits of elements.
export * from '../logical/bitwise.js';
export * from '../tensor/bit-cast.js';
