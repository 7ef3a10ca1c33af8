export { addPrefix, type PrefixOptions } from './add-prefix.js';
export type { AttributeValue } from './edit/attributes.js';
export { type Edit, edit } from './edit/edit.js';
export type { EditedGraph, EditedNode, EditedValue, NewNode } from './edit/graph.js';
export { expandOutDim } from './expand-out-dim.js';
export { extractModel } from './extract-model.js';
export { type InlineOptions, inlineFunctions } from './inline/inline-functions.js';
export { type MergeOptions, mergeModels } from './merge-models.js';
