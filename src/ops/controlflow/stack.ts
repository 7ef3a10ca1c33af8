import { stridesOf } from '../../graph/dims.js';
import type { ValueType } from '../../graph/types.js';
import { elementCount, emptyData, type TensorValue } from '../../tensor/tensor-value.js';
import { joinRows } from '../rows.js';
import { evaluateStrided } from '../strided.js';

/** Tensors of equal dims stacked along a new axis. `type` says what an empty stack is of. */
export function stack(parts: readonly TensorValue[], axis: number, type: ValueType | undefined): TensorValue {
  const [first] = parts;
  if (!first) return emptyStack(type);
  const at = axis < 0 ? axis + first.dims.length + 1 : axis;
  const widened = parts.map(({ type: element, dims, data }) => ({
    type: element,
    dims: dims.toSpliced(at, 0, 1),
    data,
  }));
  return joinRows(widened, first.dims.toSpliced(at, 0, parts.length), at);
}

function emptyStack(type: ValueType | undefined): TensorValue {
  if (type?.kind !== 'tensor') return { type: 'float32', dims: [0], data: new Float32Array(0) };
  const dims = [0, ...(type.dims ?? []).map((d) => (typeof d === 'number' ? d : 0))];
  return { type: type.element, dims, data: emptyData(type.element, dims) };
}

/** Element `i` along an axis, without that axis. */
export function slice(x: TensorValue, axis: number, i: number): TensorValue {
  const at = axis < 0 ? axis + x.dims.length : axis;
  const strides = stridesOf(x.dims);
  const [dims, rest] = [x.dims.toSpliced(at, 1), strides.toSpliced(at, 1)];
  return elementCount(dims) === 0
    ? { type: x.type, dims, data: emptyData(x.type, dims) }
    : evaluateStrided(x, dims, rest, i * (strides[at] as number));
}
