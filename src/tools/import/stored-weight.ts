import { SardonyxError } from '../../base/errors.js';
import type { ElementType } from '../../tensor/element-types.js';

/** A weight as it is in a file. */
export interface StoredWeight {
  /** What the file calls its form: `BF16`, `Q4_0` … */
  readonly form: string;
  /** What its numbers are read as. */
  readonly type: ElementType;
  readonly dims: readonly number[];
  /** Reads its numbers as ONNX's raw data. */
  readonly read: () => Promise<Uint8Array>;
  /** The same, which stay in the file, or are restored, until they are asked for; as an array this is empty. */
  readonly data: Uint8Array;
  /** What lies in the file. */
  readonly stored: Uint8Array;
  /** The file, and where in it they begin. */
  readonly place: Place;
}

export interface Place {
  readonly location: string;
  readonly offset: number;
}

/** What one file says. */
export interface Listing {
  readonly format: 'safetensors' | 'gguf';
  /** What is said of the whole; 64-bit integers that a number cannot hold are bigints. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly tensors: ReadonlyMap<string, StoredWeight>;
}

export const broken = (name: string, complaint: string): SardonyxError =>
  new SardonyxError('INVALID_ARGUMENT', `"${name}" ${complaint}`);

/** How many numbers there are. */
export const sizeIn = (dims: readonly number[]): number => dims.reduce((product, dim) => product * dim, 1);
