import type { Outline } from '../../graph/outline.js';
import type { Shown } from '../../graph/shown.js';
import type { Change, History, PlacedIssue, WrittenAttribute } from './changes.js';
import type { About, NodeDetails, Pairs, ValueDetails } from './details.js';
import type { SearchIndex } from './search-index.js';
import type { CellWindow, Summary, TensorAt, TensorFacts, TensorPicture } from './tensors.js';

/** A model's file and those it refers to, by their paths. Blobs pass between threads without their bytes. */
export interface ModelFiles {
  readonly name: string;
  /** Where it was found: in a folder, or at an address. */
  readonly path?: string;
  readonly model: Blob;
  readonly beside: readonly { readonly path: string; readonly data: Blob }[];
}

/** A graph of a model's `training_info`. */
export interface TrainingGraph {
  readonly path: string;
  readonly title: string;
  /** The weights that are set, each by the output of the graph that it takes. */
  readonly bindings: Pairs;
}

/** The work of one run. */
export interface Work {
  /** NaN of a model that is invalid. */
  readonly multiplyAdds: number;
  /** Nodes whose shapes, or number of iterations, depend on data. */
  readonly uncounted: number;
  /** Why a node cannot be counted, or none of them. */
  readonly refusal?: string | undefined;
}

/** What the first look at a model tells. `id` stands for its document in the worker. */
export interface OpenedDocument {
  readonly id: number;
  readonly name: string;
  readonly bytes: number;
  /** Whether its format has no operators of ONNX: what runs and changes models does not take it. */
  readonly isViewOnly: boolean;
  readonly opsets: readonly { readonly domain: string; readonly version: number }[];
  readonly facts: readonly (readonly [name: string, text: string])[];
  /** Functions of the model, as `DOMAIN:NAME`. */
  readonly functions: readonly string[];
  readonly training: readonly TrainingGraph[];
  /** Elements of all weights, those of subgraphs and functions included. */
  readonly parameters: number;
  /** Names of sizes that inputs leave open; '' for those without a name. */
  readonly openSizes: readonly string[];
  /** Files that hold weights, by the paths that the model knows them by; and those of them that were not given. */
  readonly external: readonly string[];
  readonly missing: readonly string[];
  readonly outline: Outline;
}

/** A document after a change. */
export interface Edited {
  readonly document: OpenedDocument;
  readonly history: History;
}

/** Sizes of inputs by their names, as a run had them. */
export type Fed = Readonly<Record<string, readonly number[]>>;

/** Types of an outline's values in their order, '' where nothing is known. */
export interface ValueTypes {
  readonly strings: readonly string[];
  readonly type: Int32Array;
}

/** The documents' worker: models without loss, as `sardonyx/model` loads them. */
export interface DocumentsService {
  open(files: ModelFiles): Promise<OpenedDocument>;
  /** Reads a model that nobody asked for, see `rehearse`. */
  rehearse(): Promise<Outline>;
  close(id: number): void;
  /** The graph at a path of outlines, see `Outline.path`. */
  outline(id: number, path: string): Outline;
  /** Inferred types of all values of the graph at a path; where `fed` says sizes of inputs, those that follow from them. */
  types(id: number, path: string, fed?: Fed): Promise<ValueTypes>;
  /** What stands below the operator of each node of the graph at a path. */
  nodeLines(id: number, path: string, shown: Shown): Promise<string[]>;
  node(id: number, path: string, index: number): Promise<NodeDetails>;
  value(id: number, path: string, name: string): Promise<ValueDetails>;
  /** An attribute as people write it, whole; undefined of tensors and graphs. */
  attribute(id: number, path: string, index: number, name: string): Promise<WrittenAttribute | undefined>;
  /** The cost of a run with these open sizes; sizes that are not given are 1. */
  work(id: number, sizes: Readonly<Record<string, number>>): Promise<Work>;
  /** What a model and the graph at a path say of themselves. */
  about(id: number, path: string): Promise<About>;
  tensor(id: number, at: TensorAt): Promise<TensorFacts>;
  /** Initializers of the graph at a path, sparse ones last, and behind them what its Constant nodes hold. */
  weights(id: number, path: string): Promise<TensorFacts[]>;
  /** Looks at a tensor, see `TensorLook`. */
  summary(id: number, at: TensorAt): Promise<Summary | undefined>;
  picture(id: number, at: TensorAt): Promise<TensorPicture | undefined>;
  cells(id: number, at: TensorAt, window: CellWindow): Promise<string[]>;
  npy(id: number, at: TensorAt): Promise<Blob>;
  /** What is searched in all graphs of a document; with the types that follow, where these are wanted. */
  searchIndex(id: number, withTypes: boolean): Promise<SearchIndex>;
  /** Serves another worker, too. */
  connect(port: MessagePort): void;
  /** Changes a document; what it was can be had again. */
  edit(id: number, change: Change): Promise<Edited>;
  /** Goes back to what it was before the last change, or forward again. */
  undo(id: number): Promise<Edited>;
  redo(id: number): Promise<Edited>;
  /** What the checker says of it. */
  issues(id: number): Promise<PlacedIssue[]>;
  /** Writes it, weights in a file beside it, into a folder that people chose. */
  saveInto(id: number, folder: FileSystemDirectoryHandle, name: string): Promise<void>;
  /** The same as one file, with all weights in it, or as a .zip of both. */
  saved(id: number, name: string, form: 'file' | 'zip'): Promise<Blob>;
  /** The files of a document as it is now, for a session. */
  files(id: number): Promise<ModelFiles>;
}
