// Linear algebra beside matrix products.

export * from '../generator/eye-like.js';
export * from '../math/cum-sum.js';
export * from '../math/det.js';
export * from '../math/einsum.js';
export * from '../tensor/trilu.js';
