// Operators that rearrange elements of images.
export * from '../ops/onnx/nn/col2im.js';
export * from '../ops/onnx/nn/max-unpool.js';
export * from '../ops/onnx/tensor/affine-grid.js';
export * from '../ops/onnx/tensor/center-crop-pad.js';
