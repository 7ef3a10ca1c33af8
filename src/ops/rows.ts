import { ELEMENTS } from '../tensor/element-types.js';
import { elementCount, emptyData, type TensorValue } from '../tensor/tensor-value.js';

/** Dense rows of `row` elements each, `sources[i]` naming the row of `x` that becomes row i of the result; −1 leaves it empty. */
export function takeRows(
  x: TensorValue,
  sources: ArrayLike<number>,
  row: number,
  dims: readonly number[],
): TensorValue {
  const length = row * (ELEMENTS[x.type].entries ?? 1);
  const data = emptyData(x.type, dims) as unknown[];
  const from = x.data as unknown as unknown[];
  for (let i = 0; i < sources.length; i++) {
    const at = (sources[i] as number) * length;
    if (at < 0) continue;
    for (let k = 0; k < length; k++) data[i * length + k] = from[at + k];
  }
  return { type: x.type, dims, data: data as unknown as TensorValue['data'] };
}

/** A shape seen as [outer, length, inner] about one axis. */
export interface AxisView {
  readonly outer: number;
  readonly length: number;
  readonly inner: number;
}

export const aboutAxis = (dims: readonly number[], axis: number, axes = 1): AxisView => ({
  outer: elementCount(dims.slice(0, axis)),
  length: elementCount(dims.slice(axis, axis + axes)),
  inner: elementCount(dims.slice(axis + axes)),
});

/** Tensors joined along an axis on the host. */
export function joinRows(parts: readonly TensorValue[], dims: readonly number[], axis: number): TensorValue {
  const { type } = parts[0] as TensorValue;
  const { entries = 1 } = ELEMENTS[type];
  const data = emptyData(type, dims) as unknown[];
  const stride = elementCount(dims.slice(axis)) * entries;
  let offset = 0;
  for (const part of parts) {
    const { outer, length, inner } = aboutAxis(part.dims, axis);
    const run = length * inner * entries;
    for (let o = 0; o < outer; o++)
      for (let k = 0; k < run; k++) data[o * stride + offset + k] = part.data[o * run + k];
    offset += run;
  }
  return { type, dims, data: data as unknown as TensorValue['data'] };
}
