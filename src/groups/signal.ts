// Spectra of signals.
export * from '../ops/onnx/math/dft.js';
export * from '../ops/onnx/math/mel-weight-matrix.js';
export * from '../ops/onnx/math/stft.js';
export * from '../ops/onnx/math/window-functions.js';
