export { type ErrorCode, type ErrorPlace, SardonyxError } from '../base/errors.js';
export { readNpy, writeNpy } from '../tensor/npy.js';
export { argmax, type Entry, type TopKOptions, topK } from './largest.js';
export { readNpz } from './npz.js';
export { softmax } from './softmax.js';
export { toNumbers } from './to-numbers.js';
