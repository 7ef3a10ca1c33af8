import type { ModelProto } from '../../../build/onnx.js';

/** Reads `length` bytes from `offset` on of the file that a model knows by a path; all that follow, without a length. */
export type ExternalBytes = (path: string, offset: number, length?: number) => Promise<Uint8Array>;

/** The file that a model was loaded from. */
export interface FileStamp {
  readonly path: string;
  readonly size: number;
  /** When it was last written: it may have been replaced since. */
  readonly modified: number;
}

/**
 * An ONNX model as a document, in which nothing is lost. It is a value: whoever changes one makes another, which shares
 * what stayed the same, and its messages are frozen.
 */
export interface Model {
  readonly proto: ModelProto;
  /** The bytes or the file it came from, as long as nothing was changed. */
  readonly original?: Uint8Array | FileStamp | undefined;
  /** Contents of its external files. */
  readonly external: ExternalBytes;
  /** Where it lies, if in a folder: files beside it need not be written where it is saved again. */
  readonly folder?: string | undefined;
  /** Files of weights that `toExternalData` made of it, and that are to be written along with it, by their paths. */
  readonly pending?: ReadonlyMap<string, readonly PendingRange[]> | undefined;
}

/** Bytes of a file to be. */
export interface PendingRange {
  readonly offset: number;
  readonly bytes: Uint8Array;
}
