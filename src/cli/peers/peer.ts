import type { Feeds } from '../../session/feeds.js';
import type { SessionOptions } from '../../session/options.js';
import type { HostValue } from '../../tensor/tensor-value.js';
import type { Io } from '../io.js';

/** Another way to run a model. */
export interface Peer {
  /** The name with the version, for messages. */
  readonly name: string;
  /** Runs the model once, and then `runs` times more. */
  run(task: Task): Promise<Trial>;
}

export interface Task {
  readonly model: string | Uint8Array;
  /** Intermediate values to return, if the peer has them. */
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
  /** The outputs of the first run. */
  readonly values: Readonly<Record<string, HostValue>>;
}

export interface PeerOptions {
  /** Options of the session that the peer is compared with. */
  readonly session: SessionOptions;
  readonly folder: string;
  readonly io: Io;
}
