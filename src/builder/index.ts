import { ModelBuilder, type ModelOptions } from './model-builder.js';

export { type AttributeInput, float, floats, int, ints, reference, strings } from './attributes.js';
export type { AttributeInputs, GraphBuilder, NodeOptions, OutputSpec, OutputsOf } from './graph-builder.js';
export type { FunctionOptions, ModelBuilder, ModelOptions } from './model-builder.js';
export { tensor } from './tensor.js';

/** Creates a builder for an ONNX model. Operators are looked up when a session loads the model, not here. */
export const modelBuilder = (options: ModelOptions): ModelBuilder => new ModelBuilder(options);
