// Linear algebra beside matrix products.
export * from '../math/det.js';
export * from '../math/einsum.js';
