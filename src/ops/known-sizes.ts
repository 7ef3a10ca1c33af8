import { isKnown } from '../graph/dims.js';
import { tensorOf } from '../tensor/numbers.js';
import type { TensorValue } from '../tensor/tensor-value.js';
import { INDICES } from './element-sets.js';
import type { NodeView } from './node-view.js';

/** The result of shape arithmetic, which needs no contents: sizes that are all numbers are the result. */
export function knownSizes(view: NodeView): TensorValue | undefined {
  const { operator, node } = view;
  const sizes = node.outputs.length === 1 ? operator.sizes?.(view) : undefined;
  if (!sizes?.every(Number.isSafeInteger)) return undefined;
  const type = operator.infer(view)[0];
  if (type?.kind !== 'tensor' || !isKnown(type.dims) || !INDICES.includes(type.element)) return undefined;
  return tensorOf(type.element, type.dims, sizes as number[]);
}
