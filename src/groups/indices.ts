// Indices, and elements taken from and put to where they say.
import { elementGathers } from '../backends/wasm/lower/gather-elements.js';
import { tupleGathers } from '../backends/wasm/lower/gather-nd.js';
import { scatters } from '../backends/wasm/lower/scatter.js';
import type { Lowerings } from '../backends/wasm/lowering.js';

export * from '../ops/generator/range.js';
export { gatherElements } from '../ops/tensor/gather-elements.js';
export { gatherND } from '../ops/tensor/gather-nd.js';
export * from '../ops/tensor/scatter-elements.js';
export * from '../ops/tensor/scatter-nd.js';

export const lowerings: Lowerings = { ...elementGathers, ...tupleGathers, ...scatters };
