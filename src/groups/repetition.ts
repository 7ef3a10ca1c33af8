// Tensors that are another, again and again.

export { repetitions as lowerings } from '../backends/wasm/lower/tile.js';
export { tile } from '../ops/tensor/tile.js';
