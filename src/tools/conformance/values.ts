import { SardonyxError } from '../../base/errors.js';
import type { Value } from '../../graph/graph.js';
import type { ValueType } from '../../graph/types.js';
import { elementCount, type HostValue } from '../../tensor/tensor-value.js';
import type { DataSet } from './layout.js';

/** An input or output of a model, and whether it has a default. */
export type Border = Pick<Value, 'name' | 'type'> & { readonly constant?: unknown };

/** Reads a value of the given kind from a file. */
export type ReadValue<F> = (file: F, kind: ValueType['kind'] | undefined) => Promise<HostValue> | HostValue;

/**
 * The feeds of a data set, by name. If it has fewer inputs than the model, they belong to the inputs without a default.
 */
export async function feedsOf<F>(
  borders: readonly Border[],
  { inputs }: DataSet<F>,
  read: ReadValue<F>,
): Promise<Record<string, HostValue>> {
  const open = borders.filter(({ constant }) => !constant);
  if (inputs === 'ramp') return Object.fromEntries(open.map((input) => [input.name, ramp(input)]));
  return valuesOf(inputs.length <= open.length ? open : borders, inputs, 'input', read);
}

/** The outputs that a data set expects, by name. */
export const expectedOf = <F>(borders: readonly Border[], { outputs }: DataSet<F>, read: ReadValue<F>) =>
  valuesOf(borders, outputs, 'output', read);

async function valuesOf<F>(
  borders: readonly Border[],
  files: readonly (F | undefined)[],
  kind: string,
  read: ReadValue<F>,
): Promise<Record<string, HostValue>> {
  if (files.length > borders.length)
    throw new SardonyxError(
      'INVALID_VALUE',
      `the data set has ${files.length} ${kind} files, but the model has ${borders.length} ${kind}s`,
    );
  const values: Record<string, HostValue> = Object.create(null);
  for (const [i, { name, type }] of borders.entries()) {
    const file = files[i];
    if (file !== undefined) values[name] = await read(file, type?.kind);
  }
  return values;
}

/** The input values of ONNX's light models. Dynamic dimensions have size 1. */
function ramp({ name, type }: Border): HostValue {
  if (type?.kind !== 'tensor' || type.element !== 'float32' || !type.dims)
    throw new SardonyxError('INVALID_TYPE', 'no input file; only float32 tensors can be generated', {
      value: name,
    });
  const dims = type.dims.map((dim) => (typeof dim === 'number' ? dim : 1));
  const count = elementCount(dims);
  return { type: 'float32', dims, data: Float32Array.from({ length: count }, (_, i) => i / count) };
}
