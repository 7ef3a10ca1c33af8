import type { Outline } from '../graph/outline.js';

/** A model's file and those it refers to, by their paths. Blobs pass between threads without their bytes. */
export interface ModelFiles {
  readonly name: string;
  readonly model: Blob;
  readonly beside: readonly { readonly path: string; readonly data: Blob }[];
}

/** What the first look at a model tells. `id` stands for its document in the worker. */
export interface OpenedDocument {
  readonly id: number;
  readonly name: string;
  readonly bytes: number;
  readonly opsets: readonly { readonly domain: string; readonly version: number }[];
  readonly facts: readonly (readonly [name: string, text: string])[];
  /** Functions of the model, as `DOMAIN:NAME`. */
  readonly functions: readonly string[];
  /** Files that hold weights, by the paths that the model knows them by; and those of them that were not given. */
  readonly external: readonly string[];
  readonly missing: readonly string[];
  readonly outline: Outline;
}

/** Types of an outline's values in their order, '' where nothing is known. */
export interface ValueTypes {
  readonly strings: readonly string[];
  readonly type: Int32Array;
}

/** The documents' worker: models without loss, as `sardonyx/model` loads them. */
export interface DocumentsService {
  open(files: ModelFiles): Promise<OpenedDocument>;
  close(id: number): void;
  /** The graph at a path of outlines, see `Outline.path`. */
  outline(id: number, path: string): Outline;
  /** Inferred types of all values of the graph at a path. */
  types(id: number, path: string): Promise<ValueTypes>;
  /** The files of a document as it is now, for a session. */
  files(id: number): Promise<ModelFiles>;
}
