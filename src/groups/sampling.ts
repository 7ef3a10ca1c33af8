// Sampling of images at computed places.
import { deformSamples } from '../backends/wasm/lower/deform-sample.js';
import { gridSamples } from '../backends/wasm/lower/grid-sample.js';
import type { Lowerings } from '../backends/wasm/lowering.js';

export { quantized as kernelSet } from '../../bindings/quantized.js';
export * from '../ops/onnx/nn/deform-conv.js';
export * from '../ops/onnx/nn/grid-sample.js';
export { deformSampleOperator } from '../primitives/deform-sample.js';
export { gridSampleOperator } from '../primitives/grid-sample.js';

export const lowerings: Lowerings = { ...deformSamples, ...gridSamples };
