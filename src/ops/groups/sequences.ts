// Sequences and optional values.
export * from '../optional/optional.js';
export * from '../sequence/concat-from-sequence.js';
export * from '../sequence/sequence-at.js';
export * from '../sequence/sequence-construct.js';
export * from '../sequence/sequence-insert.js';
export * from '../sequence/sequence-map.js';
export * from '../sequence/split-to-sequence.js';
