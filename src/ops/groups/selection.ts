// Elements and slices selected, counted or turned by what another tensor says.
export * from '../math/top-k.js';
export * from '../reduction/arg-reduce.js';
export * from '../tensor/compress.js';
export * from '../tensor/non-zero.js';
export * from '../tensor/one-hot.js';
export * from '../tensor/reverse-sequence.js';
export * from '../tensor/unique.js';
