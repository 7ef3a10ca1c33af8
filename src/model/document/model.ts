import type { ModelProto } from '../../../build/onnx.js';
import type { LeftFile } from './left-bytes.js';

/** Finds an external file by its path in the model. */
export type Files = (path: string) => Promise<LeftFile>;

/**
 * An ONNX model as a document that loses nothing of the file. It is immutable: an edit returns a new model, which shares unchanged
 * parts with the old one. Messages are frozen.
 */
export interface Model {
  /** The protobuf message. */
  readonly proto: ModelProto;
  /** The bytes of the file, if the model has not been changed. */
  readonly original?: Uint8Array | undefined;
  /** Its external files. */
  readonly files: Files;
  /** The folder of the model. Saved there again, its external files need not be written. */
  readonly folder?: string | undefined;
  /** External files that are not written yet, by path. They are written when the model is saved. */
  readonly pending?: ReadonlyMap<string, LeftFile> | undefined;
}
