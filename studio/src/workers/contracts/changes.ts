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

/** What can be described: by documentation and by pairs of metadata. */
export type Described =
  | { readonly of: 'model' }
  | { readonly of: 'graph'; readonly graph: string }
  | ({ readonly of: 'node' } & NodeAt)
  | ({ readonly of: 'value' } & ValueAt);

/** What a model says of itself in fields of its own. */
export const MODEL_FIELDS = ['producerName', 'producerVersion', 'domain', 'modelVersion'] as const;
export type ModelField = (typeof MODEL_FIELDS)[number];

/** Kinds of attributes that hold graphs: one, or a list. */
export const GRAPH_FORMS = ['graph', 'graphs'] as const;
export type GraphForm = (typeof GRAPH_FORMS)[number];
export const isGraphForm = (kind: string): kind is GraphForm => (GRAPH_FORMS as readonly string[]).includes(kind);

/** What people change in a model; graphs by their paths, nodes by their index, values by name. */
export type Change =
  | ({ readonly kind: 'rename-node'; readonly name: string } & NodeAt)
  | ({ readonly kind: 'delete-node' } & NodeAt)
  | ({ readonly kind: 'set-attribute'; readonly name: string; readonly value: WrittenAttribute } & NodeAt)
  | ({ readonly kind: 'remove-attribute'; readonly name: string } & NodeAt)
  /** The graph at a path, whose place that of a model's file takes. */
  | { readonly kind: 'set-graph'; readonly graph: string; readonly file: Blob }
  /** One of a list of graphs. */
  | { readonly kind: 'remove-graph'; readonly graph: string }
  | ({ readonly kind: 'add-graph'; readonly name: string; readonly form: GraphForm; readonly file: Blob } & NodeAt)
  /** Its numbers and type are those of a file of NumPy. */
  | { readonly kind: 'set-tensor'; readonly at: TensorAt; readonly npy: Blob }
  /** One of its elements, by its place in row-major order, as people write it. */
  | { readonly kind: 'set-element'; readonly at: TensorAt; readonly element: number; readonly text: string }
  | ({ readonly kind: 'rename-value'; readonly name: string } & ValueAt)
  /** As types are shown: `float32[batch, 3]`. */
  | ({ readonly kind: 'set-type'; readonly text: string } & ValueAt)
  | { readonly kind: 'add-output'; readonly value: string }
  | { readonly kind: 'remove-output'; readonly value: string }
  /** Sizes as people write them: numbers, names, '' or '?' for those not known. */
  | { readonly kind: 'set-dims'; readonly value: string; readonly dims: readonly string[] }
  | { readonly kind: 'extract'; readonly inputs: readonly string[]; readonly outputs: readonly string[] }
  | { readonly kind: 'convert'; readonly opset: number }
  /** The version of another domain, or of any that a function imports. */
  | { readonly kind: 'set-opset'; readonly graph: string; readonly domain: string; readonly version: string }
  | { readonly kind: 'set-field'; readonly field: ModelField; readonly text: string }
  | { readonly kind: 'rename-graph'; readonly graph: string; readonly name: string }
  | { readonly kind: 'set-doc'; readonly on: Described; readonly text: string }
  /** '' takes the pair away. */
  | { readonly kind: 'set-metadata'; readonly on: Described; readonly key: string; readonly text: string }
  | { readonly kind: 'clean-up' };

/** Kinds of attributes that are written as text; `reference` is the name of an attribute of the function around. */
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

/** An attribute as people write it: lists with commas, strings and types a line each. */
export interface WrittenAttribute {
  readonly kind: WrittenKind;
  readonly text: string;
}

export const isWritten = (kind: string): kind is WrittenKind => (WRITTEN as readonly string[]).includes(kind);

/** What takes a line each. */
export const isOfLines = (kind: WrittenKind): boolean => kind === 'strings' || kind === 'type_protos';

/** What the history of a document allows. */
export interface History {
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

/** What the checker says of a document, with the place that it leads to. */
export interface PlacedIssue {
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly path: string;
  readonly hint: string;
  readonly graph: string;
  /** Of the graph; -1 where it is no node. */
  readonly node: number;
  /** '' where it is none. */
  readonly value: string;
}
