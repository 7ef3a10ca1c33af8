export { addPrefix, type PrefixOptions } from './add-prefix.js';
export { expandOutDim } from './expand-out-dim.js';
export { extractModel } from './extract-model.js';
export { type InlineOptions, inlineFunctions } from './inline/inline-functions.js';
export { type MergeOptions, mergeModels } from './merge-models.js';
