// Former ONNX operators that onnxruntime still runs.
export { crop } from '../ops/microsoft/crop.js';
export { dynamicSlice } from '../ops/microsoft/dynamic-slice.js';
export { formerElementwise } from '../ops/microsoft/former-elementwise.js';
export { givenTensorFill } from '../ops/microsoft/given-tensor-fill.js';
export { imageScaler } from '../ops/microsoft/image-scaler.js';
