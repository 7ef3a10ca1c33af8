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

/** A tensor of a model, which is read as far as it is asked for. */
export interface TensorReader {
  readonly type: ElementType;
  readonly dims: readonly number[];
  /** Number of elements. */
  readonly count: number;
  /** Elements `begin` to `end` in row-major order, as a tensor of one dimension. */
  read(begin: number, end: number): Promise<TensorValue>;
}

/**
 * Opens a tensor of a model, wherever its data lie: in the model's file, in fields of its own, in a file beside it; a sparse one as
 * the dense one that it stands for.
 * @throws SardonyxError where its type, dims and data do not go together
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
  throw new SardonyxError('INVALID_MODEL', `its type and dims take ${expected} bytes, and it has ${size}`, {
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

/** Of what is there as a whole. */
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
