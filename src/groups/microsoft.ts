// What onnxruntime has beyond ONNX.
export * from '../ops/microsoft/gelu.js';
