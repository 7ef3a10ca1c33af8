// Regions of images.
export * from '../ops/object_detection/max-roi-pool.js';
export * from '../ops/object_detection/non-max-suppression.js';
export * from '../ops/object_detection/roi-align.js';
