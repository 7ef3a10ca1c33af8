import type { Kind } from './search-index.js';

export interface Search {
  readonly text: string;
  readonly kinds: readonly Kind[];
}

export interface FoundRow {
  readonly kind: Kind;
  readonly graph: string;
  /** The index in the outline of the graph. */
  readonly subject: number;
  readonly title: string;
  readonly detail: string;
}

/** The search worker. It gets its index from the documents worker and keeps the results, which are fetched in ranges. */
export interface FindService {
  /** Reads a document's index through a port to the documents worker; types follow once they are inferred. */
  open(id: number, documents: MessagePort): Promise<void>;
  /** The number of rows found. Throws a SyntaxError if a regular expression is invalid. */
  search(search: Search): number;
  rows(begin: number, end: number): FoundRow[];
  /** Nodes and values found in a graph. */
  inGraph(path: string): { readonly nodes: Int32Array; readonly values: Int32Array };
}
