import { SparseTensorProto, type TensorProto } from '../../build/onnx.js';
import { SardonyxError } from '../base/errors.js';
import { fileOf, type LeftFile } from '../model/document/left-bytes.js';
import type { Model } from '../model/document/model.js';
import { densify, readSparse } from '../model/sparse.js';
import { checkedCount, readDims, readElementType, readTensor } from '../model/tensors.js';
import { ELEMENTS, type ElementType } from '../tensor/element-types.js';
import { entriesOf, tensorOfEntries } from '../tensor/packed.js';
import { arrayOf, bytesOf } from '../tensor/stored-tensor.js';
import type { TensorValue } from '../tensor/tensor-value.js';
import { rawDataOf, rawLength } from './tensor-data.js';

/** Reads parts of a tensor. */
export interface TensorReader {
  /** The element type. */
  readonly type: ElementType;
  /** The shape. */
  readonly dims: readonly number[];
  /** The number of elements. */
  readonly count: number;
  /** Reads the elements from `begin` to `end` (exclusive) in row-major order, as a tensor of rank 1. */
  read(begin: number, end: number): Promise<TensorValue>;
}

/**
 * Opens a tensor of a model to read parts of it, wherever its data is: in the model file, in typed fields, or in
 * external data. A sparse tensor is read as a dense one.
 * @throws SardonyxError INVALID_MODEL if the type, shape and data of the tensor contradict each other, EXTERNAL_DATA if
 * its file is missing
 */
export async function openTensor(tensor: TensorProto | SparseTensorProto, model: Model): Promise<TensorReader> {
  if (tensor instanceof SparseTensorProto) return readerOf(densify(readSparse(tensor), tensor.values?.name));
  const type = readElementType(tensor.dataType, tensor.name);
  if (type === 'string') return readerOf(readTensor(tensor));
  const dims = readDims(tensor.dims, tensor.name);
  const file = fileOf(await rawDataOf(tensor, model));
  refuseWrongSize(tensor, file);
  return {
    type,
    dims,
    count: checkedCount(type, dims, tensor.name),
    read: (begin, end) => piece(file, type, begin, end),
  };
}

function refuseWrongSize(tensor: TensorProto, { size }: LeftFile): void {
  const expected = rawLength(tensor);
  if (size === expected) return;
  throw new SardonyxError('INVALID_MODEL', `the type and shape need ${expected} bytes, but the tensor has ${size}`, {
    value: tensor.name,
  });
}

async function piece(file: LeftFile, type: ElementType, begin: number, end: number): Promise<TensorValue> {
  const { bits } = ELEMENTS[type];
  const first = bits < 8 ? begin - (begin % (8 / bits)) : begin;
  const bytes = await file.range((first * bits) / 8, Math.ceil((end * bits) / 8));
  const found: TensorValue = { type, dims: [end - first], data: arrayOf(type, bytes) };
  if (first === begin) return found;
  return tensorOfEntries(type, [end - begin], entriesOf(found).slice(begin - first) as TensorValue['data']);
}

/** A reader of a tensor in memory. */
function readerOf(value: TensorValue): TensorReader {
  const { type, dims, data } = value;
  const count = dims.reduce((product, size) => product * size, 1);
  if (type === 'string') {
    const strings = data as readonly string[];
    return {
      type,
      dims,
      count,
      read: async (begin, end) => ({ type, dims: [end - begin], data: strings.slice(begin, end) }),
    };
  }
  const file = fileOf(bytesOf(value));
  return { type, dims, count, read: (begin, end) => piece(file, type, begin, end) };
}
