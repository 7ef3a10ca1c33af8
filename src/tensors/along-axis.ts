import { SardonyxError } from '../base/errors.js';
import { ELEMENTS } from '../tensor/element-types.js';
import { numbersOf } from '../tensor/numbers.js';
import { Tensor } from '../tensor/tensor.js';
import { elementCount, type TensorValue } from '../tensor/tensor-value.js';

/** A tensor's elements as rows along one axis: row r starts at `start(r)`, and its elements are `step` apart. */
export interface Rows {
  readonly type: Tensor['type'];
  readonly dims: readonly number[];
  readonly axis: number;
  readonly values: ArrayLike<number>;
  readonly count: number;
  readonly length: number;
  readonly step: number;
  readonly start: (row: number) => number;
}

/** @throws SardonyxError INVALID_TYPE if elements have no order, INVALID_ARGUMENT if the axis does not exist */
export function rowsOf(tensor: TensorValue, axis: number): Rows {
  const { type, data, dims } = new Tensor(tensor.type, tensor.data as never, tensor.dims);
  if (type === 'string' || ELEMENTS[type].entries)
    throw new SardonyxError('INVALID_TYPE', `elements of type ${type} have no order`);
  const place = axis < 0 ? axis + dims.length : axis;
  if (!Number.isInteger(axis) || place < 0 || place >= dims.length)
    throw new SardonyxError('INVALID_ARGUMENT', `a tensor of dims [${dims}] has no axis ${axis}`);
  const length = dims[place] as number;
  const step = elementCount(dims.slice(place + 1));
  const count = elementCount(dims.slice(0, place)) * step;
  const start = (row: number) => Math.floor(row / step) * step * length + (row % step);
  return {
    type,
    dims,
    axis: place,
    values: numbersOf({ type, data, dims } as TensorValue),
    count,
    length,
    step,
    start,
  };
}
