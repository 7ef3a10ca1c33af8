import type { Facts } from '../graph/facts.js';
import type { Node } from '../graph/graph.js';

/** A step as it is recorded during a run; details follow later. */
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
  /** The part of each thread; undefined if only the caller's works. */
  readonly shares?: readonly Share[] | undefined;
}

/** A thread's part in a step, by the thread's own clock. */
export interface Share {
  /** 0 is the caller's. */
  readonly thread: number;
  readonly tiles: number;
  /** Milliseconds from the beginning of the step, of which the clocks of threads may have different notions. */
  readonly after: number;
  readonly milliseconds: number;
}
