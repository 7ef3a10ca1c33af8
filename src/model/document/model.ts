import type { ModelProto } from '../../../build/onnx.js';
import type { LeftFile } from './left-bytes.js';

/** Finds the file that a model knows by a path. */
export type Files = (path: string) => Promise<LeftFile>;

/**
 * An ONNX model as a document, in which nothing is lost. It is a value: whoever changes one makes another, which shares
 * what stayed the same, and its messages are frozen.
 */
export interface Model {
  readonly proto: ModelProto;
  /** What it came from, as long as nothing was changed. */
  readonly original?: Uint8Array | undefined;
  /** Its external files. */
  readonly files: Files;
  /** The folder it lies in: files beside it are there already when it is saved in the same. */
  readonly folder?: string | undefined;
  /** External files that are nowhere yet, by their paths: they are written along with it. */
  readonly pending?: ReadonlyMap<string, LeftFile> | undefined;
}
