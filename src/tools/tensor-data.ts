import type { TensorProto } from '../../build/onnx.js';
import { SardonyxError } from '../base/errors.js';
import { type LeftFile, rangeOf, sizeOf } from '../model/document/left-bytes.js';
import type { Model } from '../model/document/model.js';
import { normal, readExternal, tooShort } from '../model/external-data.js';
import { checkedCount, readDims, readElementType, readTensor } from '../model/tensors.js';
import { byteLength } from '../tensor/element-types.js';
import { bytesOf } from '../tensor/stored-tensor.js';

export const isExternal = ({ dataLocation }: TensorProto): boolean => dataLocation === 1;

/** The normalized path of a tensor's external data. */
export const locationOf = ({ externalData }: TensorProto): string =>
  normal(externalData.find(({ key }) => key === 'location')?.value ?? '');

/** The number of bytes of raw data that the type and dims require. */
export function rawLength({ dataType, dims: sizes, name }: TensorProto): number {
  const type = readElementType(dataType, name);
  return byteLength(type, checkedCount(type, readDims(sizes, name), name));
}

/** The raw data of a tensor, wherever it is stored. Data in a file are read on demand. Strings have no raw data. */
export async function rawDataOf(tensor: TensorProto, { files }: Pick<Model, 'files'>): Promise<Uint8Array> {
  if (isExternal(tensor)) return externalRange(tensor, await files(locationOf(tensor)));
  if (sizeOf(tensor.rawData) > 0) return tensor.rawData;
  const value = readTensor(tensor);
  if (value.type !== 'string') return bytesOf(value);
  throw new SardonyxError('INVALID_TYPE', 'strings cannot be stored as raw data', { value: tensor.name });
}

function externalRange(tensor: TensorProto, file: LeftFile): Uint8Array {
  let range = new Uint8Array();
  readExternal(tensor, rawLength(tensor), (path, offset, length) => {
    if (offset + length > file.size) throw tooShort(path, file.size, offset, length);
    range = rangeOf(file, offset, length);
    return () => range;
  });
  return range;
}
