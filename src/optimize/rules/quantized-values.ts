import { intOf } from '../../graph/attributes.js';
import type { Node, Value } from '../../graph/graph.js';
import type { ElementType } from '../../tensor/element-types.js';
import { numbersOf } from '../../tensor/numbers.js';
import { elementCount, type TensorValue } from '../../tensor/tensor-value.js';
import type { GraphEditor } from '../editor.js';

/** A tensor of 8-bit integers and what a step of them means: one scale, or one per position of an axis. */
export interface Quantized {
  readonly value: Value;
  readonly element: ElementType;
  readonly dims: readonly unknown[];
  readonly scales: ArrayLike<number>;
  readonly zero: Value | null;
  /** Counted from 0; it says nothing where there is one scale. */
  readonly axis: number;
}

/**
 * Whether every number of such a step is a finite float32 as exact as any, up to 2³¹ of them: what dead channels have (0, 1e-40) and what
 * overflows (∞, NaN) is not, and stays in floats.
 */
export const isStep = (scale: number): boolean => scale >= 2 ** -126 && scale <= 2 ** 96;

export const contentsOf = (editor: GraphEditor, value: Value | null | undefined): TensorValue | undefined =>
  value ? editor.facts.get(value)?.contents : undefined;

export function tensorTypeOf(editor: GraphEditor, value: Value | null | undefined) {
  const type = value && editor.facts.get(value)?.type;
  return type?.kind === 'tensor' ? type : undefined;
}

/** The scale and zero point of a node that quantizes, or undoes it, if they are known and of float32, and steps can be counted by them. */
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

/** What `value` is in integers, if DequantizeLinear makes it. */
export function dequantized(editor: GraphEditor, value: Value | null | undefined): Quantized | undefined {
  const node = value && editor.producerOf(value);
  if (node?.op !== 'DequantizeLinear' || node.domain !== '') return undefined;
  return stepsOf(editor, node, node.inputs[0] as Value);
}

/** What a QuantizeLinear makes. */
export const quantizedBy = (editor: GraphEditor, node: Node): Quantized | undefined =>
  stepsOf(editor, node, node.outputs[0] as Value);

export const isNarrow = ({ element }: Quantized): boolean => element === 'int8' || element === 'uint8';

export const isPerTensor = ({ scales }: Quantized): boolean => scales.length === 1;

/** The zero point of a tensor that has one. */
export function zeroOf(editor: GraphEditor, { zero }: Quantized): number {
  const contents = contentsOf(editor, zero);
  return contents ? (numbersOf(contents)[0] as number) : 0;
}

/** Whether a step means the same in both. */
export const isSame = (editor: GraphEditor, a: Quantized, b: Quantized): boolean =>
  isPerTensor(a) &&
  isPerTensor(b) &&
  a.element === b.element &&
  a.scales[0] === b.scales[0] &&
  zeroOf(editor, a) === zeroOf(editor, b);

/** The floats that `value` is known to hold: a constant, or integers that are, with their one step or that of each of them. */
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
