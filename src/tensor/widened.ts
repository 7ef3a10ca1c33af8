import { fromFloat16 } from './half.js';
import { arrayOf, StoredTensor } from './stored-tensor.js';
import { elementCount, type TensorValue } from './tensor-value.js';

/** Below so many elements floats are as fast, and no large loss. */
const LEAST_ELEMENTS = 1 << 12;

const known = new WeakMap<TensorValue, StoredTensor>();

/** Stored float16 in float32: halves are kept, and floats made of them where somebody asks. Undefined for others. */
export function widened(x: TensorValue): TensorValue | undefined {
  if (!(x instanceof StoredTensor) || x.type !== 'float16' || elementCount(x.dims) < LEAST_ELEMENTS) return undefined;
  const made = known.get(x) ?? new StoredTensor('float32', x.dims, () => floatsOf(x), x);
  known.set(x, made);
  return made;
}

const floatsOf = (halves: StoredTensor) =>
  new Uint8Array(Float32Array.from(arrayOf('float16', halves.readBytes()) as Uint16Array, fromFloat16).buffer);
