import type { Fact } from '../graph/facts.js';
import { isKnown } from '../graph/sizes.js';
import { tensorType, type ValueType } from '../graph/types.js';
import { INDICES } from '../schema/element-sets.js';
import { tensorOf } from '../tensor/numbers.js';
import { elementCount, type HostValue, isTensorValue, type TensorValue } from '../tensor/tensor-value.js';
import { evaluateOnHost } from './evaluate.js';
import type { NodeView } from './node-view.js';

/** The largest number of elements per result for a node to be folded, by the total number of its inputs' elements. */
export type FoldingLimit = (elements: number) => number;

/**
 * Results of a node that depends only on constants and shapes. Undefined if it depends on more, or if a result exceeds the limit. Shape
 * arithmetic needs no contents, and is always small. `known`: types of the outputs, if they have been inferred.
 */
export function fold(
  view: NodeView,
  limit: FoldingLimit,
  known?: readonly (ValueType | null)[],
): readonly HostValue[] | undefined {
  const sizes = known ? undefined : knownSizes(view);
  if (sizes) return [sizes];
  const { node, operator } = view;
  if (!operator.evaluate || !operator.deterministic) return undefined;
  if (!node.inputs.every((value, i) => !value || view.hasContents(i))) return undefined;
  // Checks types alone, because the limit does not depend on contents.
  const elements = node.inputs.reduce((sum, value, i) => sum + (value ? elementCount(view.dims(i) as number[]) : 0), 0);
  const most = limit(elements);
  const types = known ?? view.outputTypes();
  if (!types.every((type) => !type || largest(type, elements) <= most)) return undefined;
  const results = evaluateOnHost(view, undefined, { types });
  return node.outputs.every((value, i) => !value || isTensorValue(results[i])) ? results : undefined;
}

/** The fact about a constant. */
export const factOf = (contents: TensorValue): Fact => ({ type: tensorType(contents.type, contents.dims), contents });

/** The result of shape arithmetic, if all its sizes are numbers. */
function knownSizes(view: NodeView): TensorValue | undefined {
  const { operator, node } = view;
  const sizes = node.outputs.length === 1 ? operator.sizes?.(view) : undefined;
  if (!sizes?.every(Number.isSafeInteger)) return undefined;
  const type = operator.infer(view)[0];
  if (type?.kind !== 'tensor' || !isKnown(type.dims) || !INDICES.includes(type.element)) return undefined;
  return tensorOf(type.element, type.dims, sizes as number[]);
}

/** Number of elements of a type. Sizes that depend on contents, as in NonZero, count as the number of input elements. */
export function largest(type: ValueType, elements: number): number {
  if (type.kind !== 'tensor') return elements;
  return (type.dims ?? [elements]).reduce<number>((n, d) => n * (typeof d === 'number' ? d : elements), 1);
}
