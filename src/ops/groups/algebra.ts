// Linear algebra beside matrix products.

export * from '../generator/eye-like.js';
export * from '../math/det.js';
export * from '../math/einsum.js';
