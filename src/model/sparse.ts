import type { SparseTensorProto } from '../../build/onnx.js';
import { account } from '../account.js';
import { asSardonyxError, SardonyxError } from '../base/errors.js';
import type { SparseTensor } from '../graph/graph.js';
import { byteLength, ELEMENTS } from '../tensor/element-types.js';
import { emptyEntries, entriesOf, tensorOfEntries } from '../tensor/packed.js';
import { integers, type TensorValue } from '../tensor/tensor-value.js';
import type { ExternalData } from './external-data.js';
import { checkedCount, readDims, readTensor } from './tensors.js';

/** A small file can declare any dense size. Beyond this number of bytes, at least 1 of 1000 elements must be stored. */
const UNQUESTIONED_BYTES = 2 ** 28;
const MAX_EXPANSION = 1000;

export function readSparse(proto: SparseTensorProto, external?: ExternalData): SparseTensor {
  if (!proto.values || !proto.indices) throw invalid('a sparse tensor needs values and indices');
  const values = readTensor(proto.values, external);
  const name = proto.values.name;
  return { values, indices: readTensor(proto.indices, external), dims: readDims(proto.dims, name) };
}

/** Converts a sparse tensor to a dense one: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto, SparseTensorProto */
export function densify({ values, indices, dims }: SparseTensor, name = ''): TensorValue {
  const { type } = values;
  const count = checkedCount(type, dims, name);
  const [stored = 0] = values.dims;
  const { entries = 1 } = ELEMENTS[type];
  const fail = (message: string) => invalid(message, name);
  if (values.dims.length !== 1)
    throw fail(`the values of a sparse tensor must be a vector, not ${type}[${values.dims}]`);
  if (indices.type !== 'int64') throw fail(`the indices of a sparse tensor must be int64, not ${indices.type}`);
  const linear = indices.dims.length === 1;
  const shape = linear ? [stored] : [stored, dims.length];
  if (String(indices.dims) !== String(shape)) throw fail(`the indices must be [${shape}], not [${indices.dims}]`);
  if (byteLength(type, count) > UNQUESTIONED_BYTES && count > stored * MAX_EXPANSION)
    throw fail(`[${dims}] of ${type} is too large for ${stored} stored values`);

  demand(byteLength(type, count), name);
  const positions = integers(indices);
  const [from, data] = [entriesOf(values), emptyEntries(type, dims) as unknown[]];
  for (let i = 0; i < stored; i++) {
    let position = linear ? (positions[i] as number) : 0;
    if (!linear)
      for (let axis = 0; axis < dims.length; axis++) {
        const index = positions[i * dims.length + axis] as number;
        const dim = dims[axis] as number;
        if (index < 0 || index >= dim) throw fail(`index ${index} is outside axis ${axis} of [${dims}]`);
        position = position * dim + index;
      }
    if (position < 0 || position >= count) throw fail(`index ${position} is outside [${dims}]`);
    for (let e = 0; e < entries; e++) data[position * entries + e] = from[i * entries + e];
  }
  return tensorOfEntries(type, dims, data as string[]);
}

function demand(bytes: number, value: string): void {
  try {
    account()?.hold(bytes);
  } catch (error) {
    throw asSardonyxError(error, { value });
  }
}

const invalid = (message: string, value?: string): SardonyxError =>
  new SardonyxError('INVALID_MODEL', message, value ? { value } : {});
