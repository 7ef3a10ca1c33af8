// Images.
export * from '../ops/onnx/image/image-decoder.js';
