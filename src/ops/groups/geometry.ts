// Where elements of images go.
export * from '../nn/col2im.js';
export * from '../nn/max-unpool.js';
export * from '../tensor/affine-grid.js';
export * from '../tensor/center-crop-pad.js';
