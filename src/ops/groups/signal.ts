// Spectra of signals.
export * from '../math/dft.js';
export * from '../math/mel-weight-matrix.js';
export * from '../math/stft.js';
export * from '../math/window-functions.js';
