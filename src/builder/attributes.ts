import { reading } from '../base/arguments.js';
import { SardonyxError } from '../base/errors.js';
import { shown } from '../base/shown.js';
import type { Attribute, Attributes, AttributeValue, Graph, SparseTensor } from '../graph/graph.js';
import type { ValueType } from '../graph/types.js';
import { isTensorValue, type TensorValue } from '../tensor/tensor-value.js';

/**
 * An attribute as plain JavaScript. An integer becomes an int, another number a float; a list of integers becomes ints, of other numbers
 * floats. For an operator that requires floats with integral values, use `float(1)` and `floats([1, 2])`.
 */
export type AttributeInput =
  | number
  | boolean
  | string
  | readonly number[]
  | readonly string[]
  | TensorValue
  | SparseTensor
  | Graph
  | ValueType
  | Attribute;

/** An attribute of type INT; a plain integer becomes one too. */
export const int = (value: number): Attribute => ({ type: 'int', value: numberOf('int', value) });
/** An attribute of type FLOAT, also for integral values: `float(1)`. */
export const float = (value: number): Attribute => ({ type: 'float', value: numberOf('float', value) });
/** An attribute of type INTS, which may be empty. */
export const ints = (value: readonly number[]): Attribute => ({ type: 'ints', value });
/** An attribute of type FLOATS, also for lists of integral values and empty lists. */
export const floats = (value: readonly number[]): Attribute => ({ type: 'floats', value });
/** An attribute of type STRINGS, which may be empty. */
export const strings = (value: readonly string[]): Attribute => ({ type: 'strings', value });
/** Inside a function: a reference to the attribute of the call with this name and type. */
export const reference = (name: string, of: AttributeValue['type']): Attribute => ({
  type: 'reference',
  value: name,
  of,
});

function numberOf(type: string, value: unknown): number {
  if (typeof value === 'number') return value;
  throw new SardonyxError('INVALID_GRAPH', `${type} takes a number, as ${type}(1), not ${shown(value)}`);
}

export const toAttributes = (inputs: Readonly<Record<string, AttributeInput | undefined>>): Attributes =>
  Object.fromEntries(
    Object.entries(inputs).flatMap(([name, input]) => (input === undefined ? [] : [[name, toAttribute(name, input)]])),
  );

function toAttribute(name: string, input: AttributeInput): Attribute {
  return reading(`attribute ${name}`, () => attributeOf(name, input));
}

function attributeOf(name: string, input: AttributeInput): Attribute {
  if (typeof input === 'boolean') return int(Number(input));
  if (typeof input === 'number') return Number.isInteger(input) ? int(input) : float(input);
  if (typeof input === 'string') return { type: 'string', value: input };
  if (Array.isArray(input)) return toList(name, input);
  if (typeof input !== 'object' || input === null) throw invalid(name, `must be ${ALLOWED}, not ${shown(input)}`);
  if (isTensorValue(input)) return { type: 'tensor', value: input };
  if ('nodes' in input) return { type: 'graph', value: input };
  if ('indices' in input) return { type: 'sparse', value: input };
  if ('kind' in input) return { type: 'type', value: input };
  if ('value' in input) return input;
  throw invalid(name, `must be ${ALLOWED}, not ${shown(input)}`);
}

const ALLOWED = 'a number, a string, a list of these, a tensor or a graph';

function toList(name: string, items: readonly unknown[]): Attribute {
  if (items.length === 0)
    throw invalid(name, 'is an empty list of unknown type: use ints([]), floats([]) or strings([])');
  if (items.every((item) => typeof item === 'string')) return strings(items);
  if (!items.every((item) => typeof item === 'number')) throw invalid(name, 'must be a list of numbers or of strings');
  return items.every(Number.isInteger) ? ints(items) : floats(items);
}

const invalid = (name: string, message: string): SardonyxError =>
  new SardonyxError('INVALID_GRAPH', `attribute ${name} ${message}`);
