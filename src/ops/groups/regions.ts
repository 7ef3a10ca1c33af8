// Regions of images.
export * from '../object_detection/max-roi-pool.js';
export * from '../object_detection/non-max-suppression.js';
export * from '../object_detection/roi-align.js';
