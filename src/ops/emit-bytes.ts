import { floatAttribute, intAttribute, stringAttribute } from '../graph/attributes.js';
import type { Attribute, Attributes, Value } from '../graph/graph.js';
import type { ByteArithmeticParameters } from '../primitives/byte-arithmetic.js';
import { type ElementType, rangeOf } from '../tensor/element-types.js';
import { tensorOf } from '../tensor/numbers.js';
import { type Emitting, emitOne } from './emit.js';

/** All values of an 8-bit type in ascending order. */
const bytesOf = (element: ElementType) =>
  tensorOf(
    element,
    [256],
    Float64Array.from({ length: 256 }, (_, i) => rangeOf(element)[0] + i),
  );

/** Applies `compute` to each byte of `x` by a table: computes once for all possible values. */
export const emitByteTable = (c: Emitting, x: Value, element: ElementType, compute: (bytes: Value) => Value): Value =>
  emitOne(c, 'sardonyx:ByteTable', [x, compute(c.constant(bytesOf(element)))]);

const INTEGERS = ['a_zero', 'b_zero', 'zero'];

const attributeOf = ([name, value]: [string, string | number]): [string, Attribute] => {
  if (typeof value === 'string') return [name, stringAttribute(value)];
  return [name, INTEGERS.includes(name) ? intAttribute(value) : floatAttribute(value)];
};

export const emitByteArithmetic = (
  c: Emitting,
  a: Value,
  b: Value,
  element: ElementType,
  parameters: Partial<ByteArithmeticParameters>,
  bounds: Attributes = {},
): Value => {
  const attributes = Object.fromEntries(Object.entries({ ...parameters, element }).map(attributeOf));
  return emitOne(c, 'sardonyx:ByteArithmetic', [a, b], { ...attributes, ...bounds });
};
