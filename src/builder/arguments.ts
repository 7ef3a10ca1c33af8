import { reading } from '../base/arguments.js';
import { type ErrorPlace, SardonyxError } from '../base/errors.js';
import { shown } from '../base/shown.js';
import type { Value } from '../graph/graph.js';
import type { Size } from '../graph/sizes.js';
import type { Dim, ValueType } from '../graph/types.js';
import { checkTensor, checkType } from '../tensor/check-tensor.js';
import { isTensorValue, type TensorValue } from '../tensor/tensor-value.js';

const invalid = (message: string): SardonyxError => new SardonyxError('INVALID_GRAPH', message);

export function checkOperator(op: unknown): asserts op is string {
  if (typeof op !== 'string' || op === '')
    throw invalid(`an operator must be a name, such as 'Relu', not ${shown(op)}`);
}

export function checkName(name: unknown): asserts name is string {
  if (typeof name !== 'string' || name === '')
    throw invalid(`a value must have a name, such as 'x', not ${shown(name)}`);
}

/** Checks that inputs are values of a builder, or null for absent ones. */
export function checkInputs(op: string, inputs: unknown): asserts inputs is readonly (Value | null)[] {
  if (!Array.isArray(inputs))
    throw invalid(`the inputs of ${op} must be a list of values, such as [x], not ${shown(inputs)}`);
  for (let i = 0; i < inputs.length; i++)
    if (inputs[i] !== null && !isValue(inputs[i]))
      throw invalid(
        `input ${i} of ${op} must be a value of the builder, or null if it is omitted, not ${shown(inputs[i])}`,
      );
}

export const isValue = (value: unknown): value is Value =>
  reading('a value', () => typeof value === 'object' && typeof (value as Value | null)?.name === 'string');

export function checkValue(value: unknown): asserts value is Value {
  if (!isValue(value))
    throw invalid(`${shown(value)} is not a value of a builder, which input, constant and op return`);
}

export function checkOutputs(outputs: unknown, place: ErrorPlace): void {
  const isCount = Number.isInteger(outputs) && (outputs as number) >= 0;
  if (isCount || Array.isArray(outputs)) return;
  throw new SardonyxError('INVALID_GRAPH', `outputs must be a number or a list of names, not ${shown(outputs)}`, place);
}

export function checkConstant(name: string, tensor: unknown): asserts tensor is TensorValue {
  if (!reading('the tensor', () => isTensorValue(tensor)))
    throw invalid(`constant "${name}" needs a tensor, such as tensor('float32', [2], [1, 2]), not ${shown(tensor)}`);
  checkTensor(tensor as TensorValue, name);
}

export function checkBuild(build: unknown): void {
  if (typeof build !== 'function') throw invalid(`expected a function that builds a graph, not ${shown(build)}`);
}

/** Checks that dims are sizes and symbols. */
export function checkShape(dims: unknown): asserts dims is readonly Dim[] | undefined {
  if (dims === undefined) return;
  if (!Array.isArray(dims))
    throw invalid(`dims must be a list of sizes and symbols, such as ['batch', 3], not ${shown(dims)}`);
  for (const dim of dims)
    if (!isDim(dim)) throw invalid(`${shown(dim)} is not a dimension: expected a size or a symbol`);
}

const isDim = (dim: unknown) =>
  typeof dim === 'string' ? dim !== '' : Number.isSafeInteger(dim) && (dim as number) >= 0;

export function checkValueType(type: unknown): asserts type is ValueType<Dim | Size> {
  const known = type as ValueType | null | undefined;
  const kind = reading('the type', () => known?.kind);
  if (!kind || !Object.hasOwn(PARTS, kind))
    throw invalid(
      `${shown(type)} is not a type: expected an element type, such as 'float32', or { kind: 'sequence', of: … }`,
    );
  PARTS[kind](type as never);
}

const PARTS: { readonly [K in ValueType['kind']]: (type: Extract<ValueType<Dim | Size>, { kind: K }>) => void } = {
  tensor: (type) => checkTensorType(type),
  sparse: (type) => checkTensorType(type),
  sequence: ({ of }) => checkValueType(of),
  optional: ({ of }) => checkValueType(of),
  map: ({ key, value }) => {
    checkType(key);
    checkValueType(value);
  },
};

function checkTensorType({ element, dims }: { readonly element: unknown; readonly dims?: unknown }): void {
  checkType(element);
  checkShape(dims);
}
