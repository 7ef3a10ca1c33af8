// Spectra of signals.
export * from '../ops/math/dft.js';
export * from '../ops/math/mel-weight-matrix.js';
export * from '../ops/math/stft.js';
export * from '../ops/math/window-functions.js';
