import type { KernelName } from '../../../../bindings/parameters.js';
import type { Node } from '../../../graph/graph.js';
import type { Buffer } from './places.js';

/** An output that takes over the memory of an input: no element is read after it is written. */
export interface Takeover {
  readonly target: Buffer;
  readonly source: Buffer;
}

/** A kernel launch; its tiles and parameters are in the program. */
export interface Launch {
  readonly kernel: KernelName;
  /** Tiles per phase; each phase reads what earlier ones have written. 0: all tiles may run at once. */
  readonly phase: number;
  /** The buffers that it reads and writes, each as often as its parameters name it. */
  readonly reads: readonly Buffer[];
  readonly writes: readonly Buffer[];
  readonly node: Node;
  readonly takeover: Takeover | null;
  /** Its position, from 1, among the stage's launches and host calls; buffer lifetimes are ranges of positions. */
  readonly position: number;
}

/** A launch as planned: with its tiles, and its parameters before pointers are resolved. */
export interface PlannedLaunch extends Launch {
  readonly tiles: number;
  readonly params: object;
}
