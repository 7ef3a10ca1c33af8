import type { Fact } from '../graph/facts.js';
import { isKnown } from '../graph/sizes.js';
import { tensorType, type ValueType } from '../graph/types.js';
import { INDICES } from '../schema/element-sets.js';
import { tensorOf } from '../tensor/numbers.js';
import { elementCount, type HostValue, isTensorValue, type TensorValue } from '../tensor/tensor-value.js';
import { evaluateOnHost } from './evaluate.js';
import type { NodeView } from './node-view.js';

/** How many elements each result may have for a node to be computed now, by how many its inputs have in all. */
export type FoldingLimit = (elements: number) => number;

/**
 * Results of a node that depends on nothing but constants and shapes; undefined where it depends on more, or where a result would
 * be larger than the limit. Shape arithmetic needs no contents, and is always small.
 */
export function fold(view: NodeView, limit: FoldingLimit): readonly HostValue[] | undefined {
  const sizes = knownSizes(view);
  if (sizes) return [sizes];
  const { node, operator } = view;
  if (!operator.evaluate || !operator.deterministic) return undefined;
  if (!node.inputs.every((value, i) => !value || view.hasContents(i))) return undefined;
  // By their types: what is too large to be folded does not depend on what it is.
  const elements = node.inputs.reduce((sum, value, i) => sum + (value ? elementCount(view.dims(i) as number[]) : 0), 0);
  const most = limit(elements);
  const types = view.outputTypes();
  if (!types.every((type) => !type || largest(type, elements) <= most)) return undefined;
  const results = evaluateOnHost(view, undefined, { types });
  return node.outputs.every((value, i) => !value || isTensorValue(results[i])) ? results : undefined;
}

/** What is known about a constant. */
export const factOf = (contents: TensorValue): Fact => ({ type: tensorType(contents.type, contents.dims), contents });

/** The result of shape arithmetic: sizes that are all numbers are the result. */
function knownSizes(view: NodeView): TensorValue | undefined {
  const { operator, node } = view;
  const sizes = node.outputs.length === 1 ? operator.sizes?.(view) : undefined;
  if (!sizes?.every(Number.isSafeInteger)) return undefined;
  const type = operator.infer(view)[0];
  if (type?.kind !== 'tensor' || !isKnown(type.dims) || !INDICES.includes(type.element)) return undefined;
  return tensorOf(type.element, type.dims, sizes as number[]);
}

/** Elements of a tensor of this type; sizes that follow from contents, as of NonZero, are those of the inputs at most. */
export function largest(type: ValueType, elements: number): number {
  if (type.kind !== 'tensor') return elements;
  return (type.dims ?? [elements]).reduce<number>((n, d) => n * (typeof d === 'number' ? d : elements), 1);
}
