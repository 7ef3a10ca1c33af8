import type { Node } from '../graph/graph.js';

export interface Rewrite {
  readonly rule: string;
  readonly node: string;
}

/** Rewrites that the optimizer applied and, on request, those that it did not, with reasons. */
export interface RewriteLog {
  readonly applied: Rewrite[];
  readonly refused?: (Rewrite & { readonly reason: string })[];
  /** Stops after this number of rewrites. */
  readonly limit: number;
  /** A reason why these nodes are not allowed in the graph, or undefined. */
  readonly refuses?: (nodes: readonly Node[]) => string | undefined;
}
