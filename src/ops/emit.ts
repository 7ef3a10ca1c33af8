import { intAttribute } from '../graph/attributes.js';
import type { Attribute, Value } from '../graph/graph.js';
import { ELEMENTS, type ElementType } from '../tensor/element-types.js';
import { tensorOf } from '../tensor/numbers.js';
import type { TensorValue } from '../tensor/tensor-value.js';
import { int64List } from './constants.js';

/** Anything that nodes can be added to. */
export interface Emitting {
  emit(
    operator: string,
    inputs: readonly (Value | null)[],
    attributes?: Record<string, Attribute>,
    outputs?: number,
  ): Value[];
  constant(value: TensorValue): Value;
}

/** Emits a node with one output and returns the output. */
export const emitOne = (
  c: Emitting,
  operator: string,
  inputs: readonly (Value | null)[],
  attributes?: Record<string, Attribute>,
): Value => c.emit(operator, inputs, attributes)[0] as Value;

/** Arithmetic on values and numbers; numbers become scalars of type `element`. */
export const arithmeticOn =
  (c: Emitting, element: ElementType) =>
  (operator: string, ...operands: readonly (Value | number)[]): Value =>
    emitOne(
      c,
      operator,
      operands.map((x) => (typeof x === 'number' ? c.constant(tensorOf(element, [], [x])) : x)),
    );

export const castTo = (c: Emitting, value: Value, to: ElementType, saturate = 1): Value =>
  emitOne(c, 'Cast', [value], { to: intAttribute(ELEMENTS[to].onnx), saturate: intAttribute(saturate) });

/** An int64 scalar, for positions. */
export const scalarOf = (c: Emitting, value: number): Value => c.constant(tensorOf('int64', [], [value]));

/** An int64 list, for shapes and axes. */
export const listOf = (c: Emitting, values: readonly number[]): Value => c.constant(int64List(values));

/** Reshapes; 0 copies a size and -1 stands for the rest, so that nodes are the same at other sizes. */
export const reshapeTo = (c: Emitting, value: Value, shape: readonly number[]): Value =>
  emitOne(c, 'Reshape', [value, listOf(c, shape)]);

/** Like `reshapeTo` with one -1; if the result has no elements, its sizes are `dims`, as -1 cannot be inferred. */
export const reshapeOpen = (c: Emitting, value: Value, shape: readonly number[], dims: readonly number[]): Value => {
  if (!dims.includes(0)) return reshapeTo(c, value, shape);
  return emitOne(c, 'Reshape', [value, listOf(c, dims)], { allowzero: intAttribute(1) });
};
