import type { Kind } from './search-index.js';

export interface Search {
  readonly text: string;
  readonly kinds: readonly Kind[];
}

export interface FoundRow {
  readonly kind: Kind;
  readonly graph: string;
  /** Its index in the outline of its graph. */
  readonly subject: number;
  readonly title: string;
  readonly detail: string;
}

/** The worker of searches. It takes its index from the documents' worker; what it finds stays there, and is shown in parts. */
export interface FindService {
  /** Reads the index of a document by a port to the documents' worker; types follow once they are inferred. */
  open(id: number, documents: MessagePort): Promise<void>;
  /** How many rows are found. Throws a SyntaxError of a regular expression that is none. */
  search(search: Search): number;
  rows(begin: number, end: number): FoundRow[];
  /** Nodes and values found in a graph. */
  inGraph(path: string): { readonly nodes: Int32Array; readonly values: Int32Array };
}
