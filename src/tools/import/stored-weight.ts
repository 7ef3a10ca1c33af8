import { SardonyxError } from '../../base/errors.js';
import type { ElementType } from '../../tensor/element-types.js';

/** A weight in a weight file. */
export interface StoredWeight {
  /** The name of its type in the file, such as `BF16` or `Q4_0`. */
  readonly form: string;
  /** The element type it is read as. */
  readonly type: ElementType;
  /** The shape. */
  readonly dims: readonly number[];
  /** Reads the weight as ONNX raw data. */
  readonly read: () => Promise<Uint8Array>;
  /**
   * The raw data as a lazy array, which stays in the file, or is dequantized, until it is needed. The array itself is
   * empty.
   */
  readonly data: Uint8Array;
  /** The bytes as they are stored in the file. */
  readonly stored: Uint8Array;
  /** The file and the offset of the data. */
  readonly place: Place;
}

export interface Place {
  readonly location: string;
  readonly offset: number;
}

/** The contents of one file. */
export interface Listing {
  /** The format of the file. */
  readonly format: 'safetensors' | 'gguf';
  /** The metadata of the file. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The weights, by name. */
  readonly tensors: ReadonlyMap<string, StoredWeight>;
}

export const broken = (name: string, complaint: string): SardonyxError =>
  new SardonyxError('INVALID_ARGUMENT', `"${name}": ${complaint}`);

/** The number of elements. */
export const sizeIn = (dims: readonly number[]): number => dims.reduce((product, dim) => product * dim, 1);
