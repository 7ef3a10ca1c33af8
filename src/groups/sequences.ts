// Sequences and optional values.
export * from '../ops/optional/optional.js';
export * from '../ops/sequence/concat-from-sequence.js';
export * from '../ops/sequence/sequence-at.js';
export * from '../ops/sequence/sequence-construct.js';
export * from '../ops/sequence/sequence-insert.js';
export * from '../ops/sequence/sequence-map.js';
export * from '../ops/sequence/split-to-sequence.js';
