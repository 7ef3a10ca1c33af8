// Images in other sizes.
export * from '../tensor/resize.js';
