// Tensors that are another, again and again.
export * from '../tensor/tile.js';
