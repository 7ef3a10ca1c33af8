import { account } from '../../../account.js';
import { stridesOf } from '../../../graph/dims.js';
import type { ValueType } from '../../../graph/types.js';
import { ELEMENTS } from '../../../tensor/element-types.js';
import { emptyData } from '../../../tensor/empty-data.js';
import { joinRows } from '../../../tensor/rows.js';
import { evaluateStrided, isWholeBytes } from '../../../tensor/strided.js';
import { elementCount, type HostValue, type TensorValue } from '../../../tensor/tensor-value.js';

/** Adds a result of an iteration; it counts as held memory until `uncount`. */
export function collect<T extends HostValue>(parts: T[], part: T): void {
  account()?.holdValue(part);
  parts.push(part);
}

/** Stops counting collected results, which their receiver counts from then on. */
export function uncount(parts: readonly HostValue[]): void {
  const limits = account();
  if (limits) for (const part of parts) limits.hold(-limits.weigh(part));
}

/** Stacks tensors of equal shape, at least one, along a new axis. */
export function stack(parts: readonly TensorValue[], axis: number): TensorValue {
  const { dims: own } = parts[0] as TensorValue;
  const at = axis < 0 ? axis + own.length + 1 : axis;
  const widened = parts.map(({ type, dims, data }) => ({ type, dims: dims.toSpliced(at, 0, 1), data }));
  return joinRows(widened, own.toSpliced(at, 0, parts.length), at);
}

/** An empty stack of tensors of that type; unknown sizes are 0. */
export function emptyStack(type: ValueType | null | undefined, axis: number): TensorValue {
  if (type?.kind !== 'tensor') return { type: 'float32', dims: [0], data: new Float32Array(0) };
  const own = (type.dims ?? []).map((d) => (typeof d === 'number' ? d : 0));
  const dims = own.toSpliced(axis < 0 ? axis + own.length + 1 : axis, 0, 0);
  return { type: type.element, dims, data: emptyData(type.element, dims) };
}

/** Stacks the results of iterations; if there are none, `type` determines the shape. */
export function gathered(parts: readonly TensorValue[], type: ValueType | null | undefined, axis: number): TensorValue {
  const stacked = parts.length > 0 ? stack(parts, axis) : emptyStack(type, axis);
  uncount(parts);
  return stacked;
}

/** Element `i` along an axis, without that axis; along the first it is a view of the same data. */
export function slice(x: TensorValue, axis: number, i: number): TensorValue {
  const at = axis < 0 ? axis + x.dims.length : axis;
  if (at === 0 && isWholeBytes(x.type) && ArrayBuffer.isView(x.data)) {
    const dims = x.dims.slice(1);
    const length = elementCount(dims) * (ELEMENTS[x.type].entries ?? 1);
    return { type: x.type, dims, data: x.data.subarray(i * length, (i + 1) * length) };
  }
  const strides = stridesOf(x.dims);
  const [dims, rest] = [x.dims.toSpliced(at, 1), strides.toSpliced(at, 1)];
  return elementCount(dims) === 0
    ? { type: x.type, dims, data: emptyData(x.type, dims) }
    : evaluateStrided(x, dims, rest, i * (strides[at] as number));
}
