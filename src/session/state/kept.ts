import { SardonyxError } from '../../base/errors.js';
import { shown } from '../../base/shown.js';
import { formatType } from '../../graph/types.js';
import type { ElementType } from '../../tensor/element-types.js';
import { emptyData } from '../../tensor/empty-data.js';
import { GrowingTensor } from '../../tensor/growing-tensor.js';
import { HostRows } from '../../tensor/host-rows.js';
import { LazyTensor } from '../../tensor/lazy-tensor.js';
import {
  arrayOf,
  bytesOf,
  STORED_TYPES,
  type StoredType,
  shownDims,
  storedAnew,
  storedBytes,
  storedDims,
} from '../../tensor/stored-rows.js';
import type { TensorValue } from '../../tensor/tensor-value.js';
import { growthAxis } from './growth-axis.js';
import type { Pair } from './pairs.js';

export function checkedType(type: unknown): StoredType | undefined {
  if (type === undefined || STORED_TYPES.includes(type as StoredType)) return type as StoredType | undefined;
  throw new SardonyxError('INVALID_ARGUMENT', `type must be one of ${STORED_TYPES.join(', ')}, not ${shown(type)}`);
}

/** The storage type of a KV cache; other states keep their type. */
export function storedOf(type: Pair['type'], wanted: StoredType | undefined): ElementType {
  const isCache = type.dims.length === 4 && growthAxis(type) === 2 && /^float(16|32)$/.test(type.element);
  return wanted && isCache ? wanted : type.element;
}

const keptAs = (type: ElementType, dims: readonly number[], stored: ElementType, bytes: Uint8Array): TensorValue =>
  stored === type
    ? ({ type, dims, data: arrayOf(type, bytes) } as TensorValue)
    : (new HostRows(type, dims, stored as StoredType, bytes) as unknown as TensorValue);

/** A tensor of zeros or without rows. */
export const emptyTensor = (type: ElementType, dims: readonly number[], stored: ElementType): TensorValue =>
  stored === type
    ? ({ type, dims, data: emptyData(type, dims) } as TensorValue)
    : keptAs(type, dims, stored, new Uint8Array(storedBytes(dims, type, stored)));

/** The tensor, or if the caller has read it and it was stored in another type, its data stored again in that type. */
export function unread(tensor: TensorValue): TensorValue {
  if (!(tensor instanceof GrowingTensor) || LazyTensor.is(tensor)) return tensor;
  const { type, dims, stored } = tensor as GrowingTensor;
  return keptAs(type, dims, stored, (tensor as GrowingTensor).rows());
}

/** A copy of a tensor in its storage type. */
export function copyOf(tensor: TensorValue): TensorValue {
  const { type, dims } = tensor;
  if (tensor instanceof GrowingTensor) {
    const { stored } = tensor;
    return { type: stored, dims: storedDims(dims, type, stored), data: arrayOf(stored, tensor.rows()) } as TensorValue;
  }
  return { type, dims, data: LazyTensor.is(tensor) ? tensor.read() : tensor.data } as TensorValue;
}

/** A saved tensor of any storage type, converted to the pair's. */
export function takenUp({ input, type, stored }: Pair, saved: TensorValue | undefined): TensorValue {
  const isStored = saved && saved.type !== type.element && STORED_TYPES.includes(saved.type as StoredType);
  const dims = saved && isStored ? shownDims(saved.dims, type.element, saved.type) : saved?.dims;
  const mayConvert = isStored && storedOf(type, saved.type as StoredType) === saved.type;
  const fits =
    (saved?.type === type.element || mayConvert) &&
    dims?.length === type.dims.length &&
    type.dims.every((dim, axis) => typeof dim !== 'number' || dim === dims[axis]);
  if (!saved || !dims || !fits) throw unfit(input, type, saved);
  const bytes = bytesOf(saved.data as Float32Array);
  return keptAs(type.element, dims, stored, storedAnew(bytes, dims, saved.type, stored));
}

function unfit(input: string, type: Pair['type'], saved: TensorValue | undefined): SardonyxError {
  const given = saved ? `${saved.type}[${saved.dims}]` : 'nothing';
  return new SardonyxError('INVALID_VALUE', `the saved state has ${given}, not ${formatType(type)}`, {
    value: input,
  });
}

export const unkept = (input: string, stored: ElementType): SardonyxError =>
  new SardonyxError(
    'INVALID_ARGUMENT',
    `cannot be kept as ${stored}: only attention may read it, and the head size must be a multiple of 8; omit type in createState`,
    { value: input },
  );
