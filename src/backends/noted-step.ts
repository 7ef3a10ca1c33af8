import type { Facts } from '../graph/facts.js';
import type { Node } from '../graph/graph.js';

/** A step as recorded during a run; details are derived later. */
export interface NotedStep {
  readonly node: Pick<Node, 'name' | 'op' | 'origins'>;
  readonly provider: string;
  readonly kernel: string;
  readonly tiles: number;
  readonly run: number;
  readonly start: number;
  readonly milliseconds: number;
  /** Facts about operands and results of `node`, which is then a graph node; null if there are none. */
  readonly facts: (() => Facts) | null;
  /** Bytes of the results or, without facts, of all that the step reads and writes; undefined if facts give them. */
  readonly bytes: number | undefined;
  /** Each thread's share; undefined if only the calling thread works. */
  readonly shares?: readonly Share[] | undefined;
}

/** A thread's share of a step, timed by the thread's own clock. */
export interface Share {
  /** 0 is the calling thread. */
  readonly thread: number;
  readonly tiles: number;
  /** Milliseconds since the start of the step; approximate, because the clocks of threads may differ. */
  readonly after: number;
  readonly milliseconds: number;
}
