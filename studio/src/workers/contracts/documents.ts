import type { Outline } from '../../graph/outline.js';
import type { Shown } from '../../graph/shown.js';
import type { Change, History, PlacedIssue, WrittenAttribute } from './changes.js';
import type { About, NodeDetails, Pairs, ValueDetails } from './details.js';
import type { SearchIndex } from './search-index.js';
import type { CellWindow, Summary, TensorAt, TensorFacts, TensorPicture } from './tensors.js';

/** A model file and the files it refers to, by path. Blobs pass between threads without copying their bytes. */
export interface ModelFiles {
  readonly name: string;
  /** Its path in a folder, or its URL. */
  readonly path?: string;
  readonly model: Blob;
  readonly beside: readonly { readonly path: string; readonly data: Blob }[];
}

/** A graph of a model's `training_info`. */
export interface TrainingGraph {
  readonly path: string;
  readonly title: string;
  /** The weights that are updated, each with the graph output that it is set to. */
  readonly bindings: Pairs;
}

/** The work of one run. */
export interface Work {
  /** NaN if the model is invalid. */
  readonly multiplyAdds: number;
  /** The number of nodes whose shapes or iteration counts depend on data. */
  readonly uncounted: number;
  /** Why a node, or the whole model, cannot be counted. */
  readonly refusal?: string | undefined;
}

/** The first facts about an opened model. `id` identifies its document in the worker. */
export interface OpenedDocument {
  readonly id: number;
  readonly name: string;
  readonly bytes: number;
  /** Whether its format has no ONNX operators: such a model cannot be run or edited. */
  readonly isViewOnly: boolean;
  readonly opsets: readonly { readonly domain: string; readonly version: number }[];
  readonly facts: readonly (readonly [name: string, text: string])[];
  /** Functions of the model, as `DOMAIN:NAME`. */
  readonly functions: readonly string[];
  readonly training: readonly TrainingGraph[];
  /** The number of elements in all weights, including those of subgraphs and functions. */
  readonly parameters: number;
  /** Names of the open sizes of inputs; '' for those without a name. */
  readonly openSizes: readonly string[];
  /** Files that hold weights, by their paths in the model; `missing` has those that were not provided. */
  readonly external: readonly string[];
  readonly missing: readonly string[];
  readonly outline: Outline;
}

/** A document after a change. */
export interface Edited {
  readonly document: OpenedDocument;
  readonly history: History;
}

/** The dims of a run's inputs, by name. */
export type Fed = Readonly<Record<string, readonly number[]>>;

/** Types of an outline's values, in order; '' if unknown. */
export interface ValueTypes {
  readonly strings: readonly string[];
  readonly type: Int32Array;
}

/** The documents worker. It keeps models without loss, as loaded by `sardonyx/model`. */
export interface DocumentsService {
  open(files: ModelFiles): Promise<OpenedDocument>;
  /** Reads a model as a warm-up, see `rehearse`. */
  rehearse(): Promise<Outline>;
  close(id: number): void;
  /** The graph at a path, see `Outline.path`. */
  outline(id: number, path: string): Outline;
  /** Inferred types of all values of the graph at a path, based on the input sizes in `fed` if given. */
  types(id: number, path: string, fed?: Fed): Promise<ValueTypes>;
  /** The text below the operator of each node in the graph at a path. */
  nodeLines(id: number, path: string, shown: Shown): Promise<string[]>;
  node(id: number, path: string, index: number): Promise<NodeDetails>;
  value(id: number, path: string, name: string): Promise<ValueDetails>;
  /** The full text of an attribute; undefined for tensors and graphs. */
  attribute(id: number, path: string, index: number, name: string): Promise<WrittenAttribute | undefined>;
  /** The cost of a run with these open sizes; sizes not given are 1. */
  work(id: number, sizes: Readonly<Record<string, number>>): Promise<Work>;
  /** The metadata of a model and of the graph at a path. */
  about(id: number, path: string): Promise<About>;
  tensor(id: number, at: TensorAt): Promise<TensorFacts>;
  /** Initializers of the graph at a path, sparse ones last, followed by the tensors of its Constant nodes. */
  weights(id: number, path: string): Promise<TensorFacts[]>;
  /** See `TensorLook` for this and the next three. */
  summary(id: number, at: TensorAt): Promise<Summary | undefined>;
  picture(id: number, at: TensorAt): Promise<TensorPicture | undefined>;
  cells(id: number, at: TensorAt, window: CellWindow): Promise<string[]>;
  npy(id: number, at: TensorAt): Promise<Blob>;
  /** The search index of all graphs in a document, optionally with inferred types. */
  searchIndex(id: number, withTypes: boolean): Promise<SearchIndex>;
  /** Serves another worker as well. */
  connect(port: MessagePort): void;
  /** Changes a document; this can be undone. */
  edit(id: number, change: Change): Promise<Edited>;
  /** Reverts the last change; `redo` applies it again. */
  undo(id: number): Promise<Edited>;
  redo(id: number): Promise<Edited>;
  /** Issues found by the checker. */
  issues(id: number): Promise<PlacedIssue[]>;
  /** Saves the model and a separate weights file to a folder chosen by the user. */
  saveInto(id: number, folder: FileSystemDirectoryHandle, name: string): Promise<void>;
  /** The model as one file with all weights, or as a .zip of the model and a weights file. */
  saved(id: number, name: string, form: 'file' | 'zip'): Promise<Blob>;
  /** The files of a document in its current state, for a session. */
  files(id: number): Promise<ModelFiles>;
}
