import type { ModelProto } from '../../../build/onnx.js';
import type { LeftFile } from './left-bytes.js';

/** Finds an external file by its path in the model. */
export type Files = (path: string) => Promise<LeftFile>;

/**
 * An ONNX model as a document that preserves the file exactly. It is immutable: an edit returns a new model, which shares unchanged parts
 * with the old one. Messages are frozen.
 */
export interface Model {
  /** The protobuf message. */
  readonly proto: ModelProto;
  /** The bytes of the file, if the model has not been changed. */
  readonly original?: Uint8Array | undefined;
  /** The external files of the model. */
  readonly files: Files;
  /** The folder of the model. When the model is saved there again, its external files need not be written. */
  readonly folder?: string | undefined;
  /** External files that are not written yet, by path. Saving the model writes them. */
  readonly pending?: ReadonlyMap<string, LeftFile> | undefined;
}
