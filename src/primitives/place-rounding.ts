import type { Inference } from '../schema/definition.js';

/**
 * How places, scales and regions round. Where an integer follows from them, they are computed in float32, as PyTorch and onnxruntime do;
 * in double precision only where the model gives input `i` so.
 */
export const placeRounding = (c: Inference<unknown>, i: number): ((x: number) => number) =>
  c.declared(i) === 'float64' ? Number : Math.fround;
