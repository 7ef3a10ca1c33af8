// Operators on the bits of elements.
export * from '../ops/onnx/logical/bitwise.js';
export * from '../ops/onnx/tensor/bit-cast.js';
