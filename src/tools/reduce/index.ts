export type { CutValues } from './closed.js';
export { type Reduced, type ReduceOptions, reduceModel } from './reduce-model.js';
export type { Outcomes, Predicate, ReduceProgress } from './trials.js';
