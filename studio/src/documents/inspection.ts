export { describeNode, describeValue } from './describe-node.js';
export { graphPaths, searchIndexOf } from './search-index.js';
export { initializersOf, lookOf } from './tensors.js';
