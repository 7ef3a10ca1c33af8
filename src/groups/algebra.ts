// Linear algebra beside matrix products.

export { runningSums as lowerings } from '../backends/wasm/lower/cum-sum.js';
export * from '../ops/generator/eye-like.js';
export { cumProd, cumSum } from '../ops/math/cum-sum.js';
export * from '../ops/math/det.js';
export * from '../ops/math/einsum.js';
export * from '../ops/tensor/trilu.js';
