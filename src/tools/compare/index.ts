export { type CompareModelsOptions, type Comparison, compareModels } from './compare-models.js';
export type { Finding } from './findings.js';
export type { ModelWithOptions, Runner, Side } from './side.js';
