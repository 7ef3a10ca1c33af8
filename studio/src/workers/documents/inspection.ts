export { aboutOf } from './about.js';
export { describeNode, describeValue } from './describe-node.js';
export { nodeLines } from './node-lines.js';
export { graphPaths, searchIndexOf } from './search-index.js';
export { tensorAt } from './tensor-at.js';
export { factsOf } from './tensor-facts.js';
export { lookOf, weightsOf } from './tensors.js';
export { writtenAttribute } from './written-attribute.js';
