import type { Graph } from '../../../graph/graph.js';
import { tensorType, type ValueType } from '../../../graph/types.js';

/** Dims of the iteration number (input 0 of the body) or condition (input 1): one element, as scalar or vector as the body declares. */
export function dimsOfOne({ inputs }: Graph, i: 0 | 1): readonly number[] {
  const type = inputs[i]?.type;
  return type?.kind === 'tensor' && type.dims?.length === 1 ? [1] : [];
}

/** What the body is given beside the values that it carries. */
export const controlTypes = (body: Graph): ValueType[] => [
  tensorType('int64', dimsOfOne(body, 0)),
  tensorType('bool', dimsOfOne(body, 1)),
];
