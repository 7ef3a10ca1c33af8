// Tensors that are another, again and again.
export { tile } from '../ops/tensor/tile.js';
