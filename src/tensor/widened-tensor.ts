import { fromFloat16 } from './half.js';
import { arrayOf, StoredTensor } from './stored-tensor.js';
import { elementCount, type TensorValue } from './tensor-value.js';

/** Below so many elements floats are as fast, and no large loss. */
const LEAST_ELEMENTS = 1 << 12;

/** A tensor of float32 that is kept as the halves that it was made of, and becomes floats where somebody asks for them. */
export class WidenedTensor extends StoredTensor {
  /** Whether kernels take its halves. */
  fits = true;
  #halves: StoredTensor | null;

  constructor(halves: StoredTensor) {
    super('float32', halves.dims, () => {
      const { buffer } = Float32Array.from(arrayOf('float16', halves.readBytes()) as Uint16Array, fromFloat16);
      return new Uint8Array(buffer);
    });
    this.#halves = halves;
  }

  /** The same in float16; null once the floats have been moved. */
  get halves(): StoredTensor | null {
    return this.#halves;
  }

  override moveTo(source: StoredTensor['source']): void {
    super.moveTo(source);
    this.#halves = null;
  }
}

const made = new WeakMap<StoredTensor, WidenedTensor>();

/** Stored weights of float16 in float32; undefined for others. */
export function widenedLater(x: TensorValue): WidenedTensor | undefined {
  if (!(x instanceof StoredTensor) || x.type !== 'float16' || elementCount(x.dims) < LEAST_ELEMENTS) return undefined;
  const known = made.get(x) ?? new WidenedTensor(x);
  made.set(x, known);
  return known;
}

/** The tensor whose bytes are kept. */
export const keptOf = (tensor: TensorValue): TensorValue =>
  (tensor instanceof WidenedTensor && tensor.halves) || tensor;
