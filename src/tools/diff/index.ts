export type { Change, ChangedPart, WeightDifference } from './change.js';
export { type DiffOptions, diffModels } from './diff-models.js';
export { type MatchedNode, type Matching, matchModels } from './match-models.js';
