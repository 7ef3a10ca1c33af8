// Slices selected or turned by what another tensor says.
export * from '../tensor/compress.js';
export * from '../tensor/reverse-sequence.js';
export * from '../tensor/unique.js';
