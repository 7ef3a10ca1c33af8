// Blocks of a map's places turned into channels, and back.
export * from '../ops/onnx/tensor/depth-to-space.js';
