import type { Feeds } from '../../session/feeds.js';
import type { HostValue } from '../../tensor/tensor-value.js';
import type { Io } from '../io.js';

/** Another way to run a model. */
export interface Peer {
  /** For people, with its version. */
  readonly name: string;
  /** Runs the model, once and then so many times more. */
  run(task: Task): Promise<Trial>;
}

export interface Task {
  readonly model: string | Uint8Array;
  /** Values inside the graph to be given out too, as far as the peer knows them. */
  readonly extraOutputs: readonly string[];
  readonly feeds: Feeds;
  readonly runs: number;
}

export interface Milliseconds {
  readonly create: number;
  readonly first: number;
  readonly median: number;
}

export interface Trial {
  readonly milliseconds: Milliseconds;
  /** Those of the first run. */
  readonly values: Readonly<Record<string, HostValue>>;
}

/** Settings that a peer is given too. */
export interface PeerOptions {
  readonly threads: number;
  readonly folder: string;
  readonly io: Io;
}
