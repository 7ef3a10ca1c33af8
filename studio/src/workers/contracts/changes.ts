import type { TensorAt } from './tensors.js';

/** A node by its index in the graph at a path. */
interface NodeAt {
  readonly graph: string;
  readonly node: number;
}

/** A value by its name in the graph at a path. */
interface ValueAt {
  readonly graph: string;
  readonly value: string;
}

/** The parts of a model that can have documentation and metadata. */
export type Described =
  | { readonly of: 'model' }
  | { readonly of: 'graph'; readonly graph: string }
  | ({ readonly of: 'node' } & NodeAt)
  | ({ readonly of: 'value' } & ValueAt);

/** Fields in which a model describes itself. */
export const MODEL_FIELDS = ['producerName', 'producerVersion', 'domain', 'modelVersion'] as const;
export type ModelField = (typeof MODEL_FIELDS)[number];

/** Kinds of attributes that hold a graph or a list of graphs. */
export const GRAPH_FORMS = ['graph', 'graphs'] as const;
export type GraphForm = (typeof GRAPH_FORMS)[number];
export const isGraphForm = (kind: string): kind is GraphForm => (GRAPH_FORMS as readonly string[]).includes(kind);

/** An edit of a model. Graphs are identified by path, nodes by index, values by name. */
export type Change =
  | ({ readonly kind: 'rename-node'; readonly name: string } & NodeAt)
  | ({ readonly kind: 'delete-node' } & NodeAt)
  | ({ readonly kind: 'set-attribute'; readonly name: string; readonly value: WrittenAttribute } & NodeAt)
  | ({ readonly kind: 'remove-attribute'; readonly name: string } & NodeAt)
  /** Replaces the graph at a path with the graph of a model file. */
  | { readonly kind: 'set-graph'; readonly graph: string; readonly file: Blob }
  /** Removes one of a list of graphs. */
  | { readonly kind: 'remove-graph'; readonly graph: string }
  | ({ readonly kind: 'add-graph'; readonly name: string; readonly form: GraphForm; readonly file: Blob } & NodeAt)
  /** Takes the elements and the type from a NumPy file. */
  | { readonly kind: 'set-tensor'; readonly at: TensorAt; readonly npy: Blob }
  /** Sets one element from text; `element` is its row-major index. */
  | { readonly kind: 'set-element'; readonly at: TensorAt; readonly element: number; readonly text: string }
  | ({ readonly kind: 'rename-value'; readonly name: string } & ValueAt)
  /** A type as displayed: `float32[batch, 3]`. */
  | ({ readonly kind: 'set-type'; readonly text: string } & ValueAt)
  | { readonly kind: 'add-output'; readonly value: string }
  | { readonly kind: 'remove-output'; readonly value: string }
  /** Sizes as entered: numbers, names, or '' or '?' if unknown. */
  | { readonly kind: 'set-dims'; readonly value: string; readonly dims: readonly string[] }
  | { readonly kind: 'extract'; readonly inputs: readonly string[]; readonly outputs: readonly string[] }
  | { readonly kind: 'convert'; readonly opset: number }
  /** Sets the version of another domain, or of any domain that a function imports. */
  | { readonly kind: 'set-opset'; readonly graph: string; readonly domain: string; readonly version: string }
  | { readonly kind: 'set-field'; readonly field: ModelField; readonly text: string }
  | { readonly kind: 'rename-graph'; readonly graph: string; readonly name: string }
  | { readonly kind: 'set-doc'; readonly on: Described; readonly text: string }
  /** An empty text removes the pair. */
  | { readonly kind: 'set-metadata'; readonly on: Described; readonly key: string; readonly text: string }
  | { readonly kind: 'clean-up' };

/** Kinds of attributes that are edited as text; `reference` names an attribute of the enclosing function. */
export const WRITTEN = [
  'int',
  'float',
  'string',
  'ints',
  'floats',
  'strings',
  'type_proto',
  'type_protos',
  'reference',
] as const;
export type WrittenKind = (typeof WRITTEN)[number];

/** An attribute as text: lists are separated by commas; strings and types have one line each. */
export interface WrittenAttribute {
  readonly kind: WrittenKind;
  readonly text: string;
}

export const isWritten = (kind: string): kind is WrittenKind => (WRITTEN as readonly string[]).includes(kind);

/** Whether the items have one line each. */
export const isOfLines = (kind: WrittenKind): boolean => kind === 'strings' || kind === 'type_protos';

/** The undo and redo state of a document. */
export interface History {
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

/** An issue found by the checker, with its location. */
export interface PlacedIssue {
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly path: string;
  readonly hint: string;
  readonly graph: string;
  /** The index in the graph; -1 if the issue is not at a node. */
  readonly node: number;
  /** '' if the issue is not at a value. */
  readonly value: string;
}
