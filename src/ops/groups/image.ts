// Images.
export * from '../image/image-decoder.js';
