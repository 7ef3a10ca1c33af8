import { ELEMENTS, type ElementType, type TypedArray } from './element-types.js';
import type { TensorValue } from './tensor-value.js';

/** Brings the bytes of a tensor from where they are kept; they may lie at any alignment. */
export interface ByteSource {
  (): Uint8Array;
  /** Fills `target` with the bytes from `offset` on, where they need not all be brought for that. */
  readonly into?: (target: Uint8Array, offset: number) => void;
  /** Brings a few rows of a table that is to stay where it is. */
  readonly rows?: (rows: readonly number[], rowBytes: number) => Uint8Array;
}

/** Little-endian bytes as the array of an element type, copied only where they are not aligned. */
export function arrayOf(type: ElementType, bytes: Uint8Array): TypedArray {
  const array = ELEMENTS[type].array ?? Uint8Array;
  const aligned = bytes.byteOffset % array.BYTES_PER_ELEMENT === 0 ? bytes : new Uint8Array(bytes);
  return new array(aligned.buffer, aligned.byteOffset, aligned.byteLength / array.BYTES_PER_ELEMENT);
}

/**
 * A tensor whose data stay in the model's bytes or file until somebody asks for them: weights go from there into linear
 * memory, without a second copy in JavaScript.
 */
export class StoredTensor implements TensorValue {
  #source: ByteSource;
  #kept: StoredTensor | undefined;
  #data: TypedArray | null = null;

  /** @param kept what `source` makes the bytes of, if it is kept in another form */
  constructor(
    readonly type: ElementType,
    readonly dims: readonly number[],
    source: ByteSource,
    kept?: StoredTensor,
  ) {
    this.#source = source;
    this.#kept = kept;
  }

  /** The tensor whose bytes are kept: this one, or what it is made of. */
  get kept(): StoredTensor {
    return this.#kept ?? this;
  }

  get data(): TypedArray {
    this.#data ??= arrayOf(this.type, this.#source());
    return this.#data;
  }

  /** Where the bytes come from. */
  get source(): ByteSource {
    return this.#source;
  }

  readBytes(): Uint8Array {
    return this.#source();
  }

  /** Lets go of the bytes; whoever asks for them later gets them from `source`. */
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

/** What brings rows of a tensor that is to stay where it is. */
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
