// Where elements of images go.
export * from '../ops/nn/col2im.js';
export * from '../ops/nn/max-unpool.js';
export * from '../ops/tensor/affine-grid.js';
export * from '../ops/tensor/center-crop-pad.js';
