import { intOf } from '../../graph/attributes.js';
import type { Node, Value } from '../../graph/graph.js';
import type { ElementType } from '../../tensor/element-types.js';
import { numbersOf } from '../../tensor/numbers.js';
import { elementCount, type TensorValue } from '../../tensor/tensor-value.js';
import type { GraphEditor } from '../editor.js';

/** A tensor of integers with their scale: one, or one per position of an axis. */
export interface Quantized {
  readonly value: Value;
  readonly element: ElementType;
  readonly dims: readonly unknown[];
  readonly scales: ArrayLike<number>;
  readonly zero: Value | null;
  /** Counted from 0; meaningless with a single scale. */
  readonly axis: number;
}

/**
 * Whether all multiples of a scale, up to 2³¹, are normal finite float32. Scales of dead channels (0, 1e-40) and overflows (∞, NaN) are
 * not: their products stay in floats.
 */
export const isStep = (scale: number): boolean => scale >= 2 ** -126 && scale <= 2 ** 96;

export const contentsOf = (editor: GraphEditor, value: Value | null | undefined): TensorValue | undefined =>
  value ? editor.facts.get(value)?.contents : undefined;

export function tensorTypeOf(editor: GraphEditor, value: Value | null | undefined) {
  const type = value && editor.facts.get(value)?.type;
  return type?.kind === 'tensor' ? type : undefined;
}

/** Scale and zero point of a QuantizeLinear or DequantizeLinear, if they are known, float32, and `isStep`. */
function stepsOf(editor: GraphEditor, node: Node, integers: Value): Quantized | undefined {
  const [, scale, zero = null] = node.inputs;
  const [type, scales] = [tensorTypeOf(editor, integers), contentsOf(editor, scale)];
  const known = scales?.type === 'float32' && (!zero || contentsOf(editor, zero));
  if (!known || !type?.dims || intOf(node.attributes, 'block_size', 0) !== 0) return undefined;
  const axis = intOf(node.attributes, 'axis', 1);
  const each = numbersOf(scales);
  if (!Array.prototype.every.call(each, isStep)) return undefined;
  return {
    value: integers,
    element: type.element,
    dims: type.dims,
    scales: each,
    zero,
    axis: axis < 0 ? axis + type.dims.length : axis,
  };
}

/** The quantized form of `value`, if DequantizeLinear produces it. */
export function dequantized(editor: GraphEditor, value: Value | null | undefined): Quantized | undefined {
  const node = value && editor.producerOf(value);
  if (node?.op !== 'DequantizeLinear' || node.domain !== '') return undefined;
  return stepsOf(editor, node, node.inputs[0] as Value);
}

/** The result of a QuantizeLinear. */
export const quantizedBy = (editor: GraphEditor, node: Node): Quantized | undefined =>
  stepsOf(editor, node, node.outputs[0] as Value);

export const isNarrow = ({ element }: Quantized): boolean => element === 'int8' || element === 'uint8';

export const isPerTensor = ({ scales }: Quantized): boolean => scales.length === 1;

/** The zero point of a per-tensor quantized value; 0 without one. */
export function zeroOf(editor: GraphEditor, { zero }: Quantized): number {
  const contents = contentsOf(editor, zero);
  return contents ? (numbersOf(contents)[0] as number) : 0;
}

/** Whether two quantized values share type, scale and zero point. */
export const isSame = (editor: GraphEditor, a: Quantized, b: Quantized): boolean =>
  isPerTensor(a) &&
  isPerTensor(b) &&
  a.element === b.element &&
  a.scales[0] === b.scales[0] &&
  zeroOf(editor, a) === zeroOf(editor, b);

/** The floats that `value` is known to hold: a constant, or constant integers with one scale or one per element. */
export function knownFloats(editor: GraphEditor, value: Value): Float64Array | undefined {
  const contents = contentsOf(editor, value);
  if (contents) return Float64Array.from(numbersOf(contents));
  const steps = dequantized(editor, value);
  const integers = steps && contentsOf(editor, steps.value);
  if (!steps || !integers || (!isPerTensor(steps) && steps.scales.length !== elementCount(integers.dims)))
    return undefined;
  const zeros = contentsOf(editor, steps.zero);
  const zeroAt = zeros ? numbersOf(zeros) : [0];
  return Float64Array.from(numbersOf(integers), (q, i) => {
    const at = isPerTensor(steps) ? 0 : i;
    return (q - (zeroAt[zeroAt.length === 1 ? 0 : at] as number)) * (steps.scales[at] as number);
  });
}
