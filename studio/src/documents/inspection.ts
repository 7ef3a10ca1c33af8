export { describeNode, describeValue } from './describe-node.js';
export { initializersOf, lookOf } from './tensors.js';
