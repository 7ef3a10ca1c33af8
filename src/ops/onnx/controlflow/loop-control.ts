import type { Graph } from '../../../graph/graph.js';
import { tensorType, type ValueType } from '../../../graph/types.js';

/**
 * Shape of the iteration number (input 0 of the body) or the condition (input 1): one element, as a scalar or vector as the body declares
 * it.
 */
export function dimsOfOne({ inputs }: Graph, i: 0 | 1): readonly number[] {
  const type = inputs[i]?.type;
  return type?.kind === 'tensor' && type.dims?.length === 1 ? [1] : [];
}

/** Types of the body's first inputs, which precede the carried values. */
export const controlTypes = (body: Graph): ValueType[] => [
  tensorType('int64', dimsOfOne(body, 0)),
  tensorType('bool', dimsOfOne(body, 1)),
];
