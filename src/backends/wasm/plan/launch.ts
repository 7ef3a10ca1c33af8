import type { KernelName } from '../../../../bindings/parameters.js';
import type { Node } from '../../../graph/graph.js';
import type { Buffer } from './places.js';

/** An output that lies where an input lay: no element is read after it is written. */
export interface Takeover {
  readonly target: Buffer;
  readonly source: Buffer;
}

/** A kernel launch; its tiles and parameters are in the program. */
export interface Launch {
  readonly kernel: KernelName;
  /** Each as many tiles read what those before have written; 0: all may be done at once. */
  readonly phase: number;
  /** The buffers that it reads and writes, each as often as its parameters name it. */
  readonly reads: readonly Buffer[];
  readonly writes: readonly Buffer[];
  readonly node: Node;
  readonly takeover: Takeover | null;
  /** Its place among the stage's launches and host calls, from 1 on, as buffers' lifetimes count them. */
  readonly position: number;
}

/** A launch as it was planned: with its tiles, and its parameters before their pointers are fixed. */
export interface PlannedLaunch extends Launch {
  readonly tiles: number;
  readonly params: object;
}
