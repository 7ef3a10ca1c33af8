export { inferFunctionOutputTypes } from './function-outputs.js';
export { type InferOptions, inferShapes } from './infer-shapes.js';
export { typesIn, typesOf, type ValueTypes } from './types-of.js';
