import { ELEMENTS, type ElementType, type TypedArray } from './element-types.js';
import type { TensorValue } from './tensor-value.js';

/** Reads the bytes of a tensor from where they are stored, at any alignment. */
export interface ByteSource {
  (): Uint8Array;
  /** Fills `target` with the bytes from `offset` on, without reading all bytes. */
  readonly into?: (target: Uint8Array, offset: number) => void;
  /** Reads some rows of a table that stays in place. */
  readonly rows?: (rows: readonly number[], rowBytes: number) => Uint8Array;
}

/** Little-endian bytes as the array of an element type; copied only if they are not aligned. */
export function arrayOf(type: ElementType, bytes: Uint8Array): TypedArray {
  const array = ELEMENTS[type].array ?? Uint8Array;
  const aligned = bytes.byteOffset % array.BYTES_PER_ELEMENT === 0 ? bytes : new Uint8Array(bytes);
  return new array(aligned.buffer, aligned.byteOffset, aligned.byteLength / array.BYTES_PER_ELEMENT);
}

/**
 * A tensor whose data stay in the model's bytes or file until they are accessed. Weights move from there to linear memory without a second
 * copy in JavaScript.
 */
export class StoredTensor implements TensorValue {
  #source: ByteSource;
  #kept: StoredTensor | undefined;
  #data: TypedArray | null = null;

  /** @param kept the tensor that `source` computes the bytes from, if that is stored instead */
  constructor(
    readonly type: ElementType,
    readonly dims: readonly number[],
    source: ByteSource,
    kept?: StoredTensor,
  ) {
    this.#source = source;
    this.#kept = kept;
  }

  /** The tensor whose bytes are stored: this one, or the one that it is computed from. */
  get kept(): StoredTensor {
    return this.#kept ?? this;
  }

  get data(): TypedArray {
    this.#data ??= arrayOf(this.type, this.#source());
    return this.#data;
  }

  get source(): ByteSource {
    return this.#source;
  }

  readBytes(): Uint8Array {
    return this.#source();
  }

  /** Frees the bytes; later reads get them from `source`. */
  moveTo(source: ByteSource): void {
    this.#source = source;
    this.#data = null;
    this.#kept &&= new StoredTensor(this.#kept.type, this.dims, gone);
  }
}

/** Fills `target` with the bytes of a tensor from `offset` on. */
export function readInto(tensor: TensorValue, target: Uint8Array, offset = 0): void {
  const { source } = tensor as MayBeStored;
  if (source?.into) source.into(target, offset);
  else target.set(bytesOf(tensor).subarray(offset, offset + target.length));
}

/** Reads rows of a tensor that stays in place, if it does. */
export const rowsOf = (tensor: TensorValue | undefined): ByteSource['rows'] =>
  (tensor as MayBeStored | undefined)?.source?.rows;

type MayBeStored = Partial<Pick<StoredTensor, 'source'>>;

function gone(): never {
  throw new Error('the weights are kept only as kernels want them');
}

/** The bytes of a tensor, without copying them. */
export function bytesOf(tensor: TensorValue): Uint8Array {
  if (tensor instanceof StoredTensor) return tensor.readBytes();
  const { buffer, byteOffset, byteLength } = tensor.data as TypedArray;
  return new Uint8Array(buffer, byteOffset, byteLength);
}
