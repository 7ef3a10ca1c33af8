import type { Facts } from '../graph/facts.js';
import type { Node } from '../graph/graph.js';

/** A step as it is noted while a run goes on; what more is to be said of it can wait. */
export interface NotedStep {
  readonly node: Pick<Node, 'name' | 'op' | 'origins'>;
  readonly provider: string;
  readonly kernel: string;
  readonly tiles: number;
  readonly run: number;
  readonly start: number;
  readonly milliseconds: number;
  /** What is known of the operands and results of `node`, which is a node of a graph then; null where there is none. */
  readonly facts: (() => Facts) | null;
  /** Bytes of results, or of all that a step reads and writes for which there are no facts; undefined where facts say them. */
  readonly bytes: number | undefined;
}
