/** What people change in a model; graphs by their paths, nodes by their index, values by name. */
export type Change =
  | { readonly kind: 'rename-node'; readonly graph: string; readonly node: number; readonly name: string }
  | { readonly kind: 'delete-node'; readonly graph: string; readonly node: number }
  | {
      readonly kind: 'set-attribute';
      readonly graph: string;
      readonly node: number;
      readonly name: string;
      readonly type: EditableType;
      /** As people write it: lists with commas. */
      readonly text: string;
    }
  | { readonly kind: 'remove-attribute'; readonly graph: string; readonly node: number; readonly name: string }
  | { readonly kind: 'rename-value'; readonly graph: string; readonly value: string; readonly name: string }
  | { readonly kind: 'add-output'; readonly value: string }
  | { readonly kind: 'remove-output'; readonly value: string }
  /** Sizes as people write them: numbers, names, '' or '?' for those not known. */
  | { readonly kind: 'set-dims'; readonly value: string; readonly dims: readonly string[] }
  | { readonly kind: 'extract'; readonly inputs: readonly string[]; readonly outputs: readonly string[] }
  | { readonly kind: 'convert'; readonly opset: number }
  | { readonly kind: 'clean-up' };

export const EDITABLE = ['int', 'float', 'string', 'ints', 'floats', 'strings'] as const;
export type EditableType = (typeof EDITABLE)[number];

export const isEditable = (kind: string): kind is EditableType => (EDITABLE as readonly string[]).includes(kind);

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
