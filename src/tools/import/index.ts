export { type ImportProgress, type ImportWeightsOptions, importWeights, type Renaming } from './import-weights.js';
export type { LoraConfig } from './lora-parts.js';
export { type MergeLoraOptions, mergeLora } from './merge-lora.js';
export type { StoredWeight } from './stored-weight.js';
export { fromCatBoost } from './trees/catboost.js';
export type { ForestOptions } from './trees/forest.js';
export { fromLightGBM } from './trees/lightgbm.js';
export { fromXGBoost } from './trees/xgboost.js';
export { openWeights, type WeightFile } from './weight-file.js';
