import type { KernelName } from '../../bindings/parameters.js';
import type { Pointer } from '../../bindings/place.js';
import type { Node } from '../graph/graph.js';

/** A kernel launch before its pointers are fixed. */
export interface Launch {
  readonly kernel: KernelName;
  readonly params: object;
  readonly tiles: number;
  readonly reads: readonly Pointer[];
  readonly writes: readonly Pointer[];
  readonly node: Node;
  /** Its place among the stage's launches and host calls, from 1 on, as buffers' lifetimes count them. */
  readonly position: number;
}
