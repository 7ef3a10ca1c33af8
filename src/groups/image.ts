// Images.
export * from '../ops/image/image-decoder.js';
