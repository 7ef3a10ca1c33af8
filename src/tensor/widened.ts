import { fromFloat16 } from './half.js';
import { arrayOf, StoredTensor } from './stored-tensor.js';
import { elementCount, type TensorValue } from './tensor-value.js';

/** Below this number of elements, float32 is as fast and costs little memory. */
const LEAST_ELEMENTS = 1 << 12;

const known = new WeakMap<TensorValue, StoredTensor>();

/** A stored float16 tensor as float32: stays float16 in storage, and is converted on access. Undefined for others. */
export function widened(x: TensorValue): TensorValue | undefined {
  if (!(x instanceof StoredTensor) || x.type !== 'float16' || elementCount(x.dims) < LEAST_ELEMENTS) return undefined;
  const made = known.get(x) ?? new StoredTensor('float32', x.dims, () => floatsOf(x), x);
  known.set(x, made);
  return made;
}

const floatsOf = (halves: StoredTensor) =>
  new Uint8Array(Float32Array.from(arrayOf('float16', halves.readBytes()) as Uint16Array, fromFloat16).buffer);
