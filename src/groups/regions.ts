// Regions of images.
import { suppressions } from '../backends/wasm/lower/non-max-suppression.js';
import { roiAligns } from '../backends/wasm/lower/roi-align.js';
import type { Lowerings } from '../backends/wasm/lowering.js';

export { quantized as kernelSet } from '../../bindings/quantized.js';
export * from '../ops/onnx/object_detection/max-roi-pool.js';
export { nonMaxSuppression, selectedBoxes } from '../ops/onnx/object_detection/non-max-suppression.js';
export * from '../ops/onnx/object_detection/roi-align.js';
export { suppressionOperator } from '../primitives/non-max-suppression.js';
export { roiAlignOperator } from '../primitives/roi-align.js';

export const lowerings: Lowerings = { ...suppressions, ...roiAligns };
