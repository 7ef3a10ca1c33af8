import { account } from '../account.js';
import { broadcastStrides } from '../graph/dims.js';
import { isFloat } from '../tensor/element-types.js';
import { emptyData } from '../tensor/empty-data.js';
import { numbersOf, tensorOf } from '../tensor/numbers.js';
import { elementCount, type TensorValue } from '../tensor/tensor-value.js';

/** A·B in the arithmetic of their own type (float32 sums in double precision), for types without a kernel. */
export function multiplyOnHost(a: TensorValue, b: TensorValue, dims: readonly number[]): TensorValue {
  const k = a.dims.at(-1) as number;
  const m = a.dims.length > 1 ? (a.dims.at(-2) as number) : 1;
  const n = b.dims.length > 1 ? (b.dims.at(-1) as number) : 1;
  const batch = dims.slice(0, dims.length - (a.dims.length > 1 ? 1 : 0) - (b.dims.length > 1 ? 1 : 0));
  const aStrides = broadcastStrides(a.dims.slice(0, -2), batch);
  const bStrides = broadcastStrides(b.dims.slice(0, -2), batch);
  const isFloating = isFloat(a.type);
  const data = (isFloating ? new Float64Array(elementCount(dims)) : emptyData(a.type, dims)) as {
    [i: number]: number | bigint;
  };
  const [x, y] = (isFloating ? [numbersOf(a), numbersOf(b)] : [a.data, b.data]) as ArrayLike<number>[];
  const zero = data instanceof BigInt64Array || data instanceof BigUint64Array ? (0n as unknown as number) : 0;
  const add = data instanceof Int32Array || data instanceof Uint32Array ? addWrapped : addProduct;
  for (let matrix = 0; matrix < elementCount(batch); matrix++) {
    const from = m * k * offsetOf(matrix, batch, aStrides);
    const by = k * n * offsetOf(matrix, batch, bStrides);
    for (let i = 0; i < m; i++) {
      for (let j = 0; j < n; j++) {
        account()?.spend(k);
        let sum = zero;
        for (let l = 0; l < k; l++) sum = add(sum, x?.[from + i * k + l] as number, y?.[by + l * n + j] as number);
        data[matrix * m * n + i * n + j] = sum;
      }
    }
  }
  if (isFloating) return tensorOf(a.type, dims, data as Float64Array);
  return { type: a.type, dims, data: data as unknown as TensorValue['data'] };
}

const addProduct = (sum: number, x: number, y: number): number => sum + x * y;

/** Exact modulo 2³². */
const addWrapped = (sum: number, x: number, y: number): number => (sum + Math.imul(x, y)) | 0;

/** Offset of the `index`-th element of `dims` under `strides`. */
function offsetOf(index: number, dims: readonly number[], strides: readonly number[]): number {
  let rest = index;
  let offset = 0;
  for (let axis = dims.length - 1; axis >= 0; axis--) {
    const size = dims[axis] as number;
    offset += (rest % size) * (strides[axis] as number);
    rest = Math.floor(rest / size);
  }
  return offset;
}
