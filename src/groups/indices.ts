// Operators that create indices, gather and scatter.
import { elementGathers } from '../backends/wasm/lower/gather-elements.js';
import { tupleGathers } from '../backends/wasm/lower/gather-nd.js';
import { scatters } from '../backends/wasm/lower/scatter.js';
import type { Lowerings } from '../backends/wasm/lowering.js';

export * from '../ops/onnx/generator/range.js';
export * from '../ops/onnx/tensor/gather-elements.js';
export * from '../ops/onnx/tensor/gather-nd.js';
export * from '../ops/onnx/tensor/scatter-elements.js';
export * from '../ops/onnx/tensor/scatter-nd.js';

export const lowerings: Lowerings = { ...elementGathers, ...tupleGathers, ...scatters };
