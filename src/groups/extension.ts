// Operators that pad or repeat tensors.
import { paddings } from '../backends/wasm/lower/pad.js';
import { repetitions } from '../backends/wasm/lower/tile.js';
import type { Lowerings } from '../backends/wasm/lowering.js';

export * from '../ops/onnx/tensor/pad.js';
export * from '../ops/onnx/tensor/tile.js';

export const lowerings: Lowerings = { ...paddings, ...repetitions };
