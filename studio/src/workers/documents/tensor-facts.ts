import type { TensorProto } from 'sardonyx/model';
import { type Int64, toNumber } from '../../../../src/model/int64.js';
import type { TensorAt, TensorFacts } from '../contracts/tensors.js';
import { isSparse, isSpelled, type SparseTensorProto } from './tensor-at.js';
import { elementName } from './type-text.js';

/** Bits per element by TensorProto.DataType; 0 if elements have no fixed size. */
const BITS = [0, 32, 8, 8, 16, 16, 32, 64, 0, 8, 16, 64, 32, 64, 64, 128, 16, 8, 8, 8, 8, 4, 4, 4, 8, 2, 2];

export function factsOf(tensor: TensorProto | SparseTensorProto, at: TensorAt): TensorFacts {
  const values = isSparse(tensor) ? tensor.values : tensor;
  const dims = tensor.dims.map((size) => toNumber(size as Int64));
  const count = dims.reduce((product, size) => product * size, 1);
  const stored = isSparse(tensor) ? toNumber((values?.dims[0] ?? 0) as Int64) : count;
  const bits = BITS[values?.dataType ?? 0] ?? 0;
  return {
    at,
    type: elementName(values?.dataType ?? 0),
    dims,
    count,
    bytes: bits === 0 ? Number.NaN : Math.ceil((stored * bits) / 8),
    file: values?.dataLocation === 1 ? (values.externalData.find(({ key }) => key === 'location')?.value ?? '') : '',
    isSparse: isSparse(tensor),
    ...('attribute' in at && isSpelled(at.attribute) && { isSpelled: true }),
  };
}
