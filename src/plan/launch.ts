import type { KernelName, Pointer } from '../../bindings/parameters.js';
import type { Node } from '../graph/graph.js';
import type { Buffer } from './places.js';

/** An output that lies where an input lay: no element is read after it is written. */
export interface Takeover {
  readonly target: Buffer;
  readonly source: Buffer;
}

/** A kernel launch before its pointers are fixed. */
export interface Launch {
  readonly kernel: KernelName;
  readonly params: object;
  readonly tiles: number;
  readonly reads: readonly Pointer[];
  readonly writes: readonly Pointer[];
  readonly node: Node;
  readonly takeover: Takeover | null;
  /** Its place among the stage's launches and host calls, from 1 on, as buffers' lifetimes count them. */
  readonly position: number;
}
