export { type ErrorCode, type ErrorPlace, SardonyxError } from '../errors.js';
export { argmax, type Entry, type TopKOptions, topK } from './largest.js';
export { readNpy, writeNpy } from './npy.js';
export { readNpz, writeNpz } from './npz.js';
export { softmax } from './softmax.js';
