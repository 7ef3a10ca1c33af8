// Images in other sizes.
export * from '../ops/tensor/resize.js';
