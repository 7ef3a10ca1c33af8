import type { Node } from '../graph/graph.js';

export interface Rewrite {
  readonly rule: string;
  readonly node: string;
}

/** What the optimizer did and, on request, what it did not do and why. */
export interface RewriteLog {
  readonly applied: Rewrite[];
  readonly refused?: (Rewrite & { readonly reason: string })[];
  /** Stops after this number of rewrites. */
  readonly limit: number;
  /** Why these nodes must not come into the graph; undefined where they may. */
  readonly refuses?: (nodes: readonly Node[]) => string | undefined;
}
