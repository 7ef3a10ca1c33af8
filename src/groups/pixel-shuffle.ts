// Blocks of pixels to channels, and back.
export * from '../ops/onnx/tensor/depth-to-space.js';
