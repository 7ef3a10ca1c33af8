import type { Results, Tensor, TypedArray } from '../src/index.js';
import type { NamedTensor } from './inputs.js';

/** Copies of results to send to another process. */
export const namedTensors = (names: readonly string[], results: Results): NamedTensor[] =>
  names.map((name) => {
    const { type, dims, data } = results[name] as Tensor;
    return { name, type, dims: [...dims], data: (data as TypedArray).slice() };
  });
