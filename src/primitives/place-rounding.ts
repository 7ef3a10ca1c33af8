import type { Inference } from '../schema/definition.js';

/**
 * Rounding of places, scales and regions. Where integers follow from them, they are computed in float32, as in PyTorch and onnxruntime; in
 * double precision only if the model declares input `i` as float64.
 */
export const placeRounding = (c: Inference<unknown>, i: number): ((x: number) => number) =>
  c.declared(i) === 'float64' ? Number : Math.fround;
