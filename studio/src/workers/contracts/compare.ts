import type { Change } from 'sardonyx/model';
import type { ModelFiles } from './documents.js';
import type { OpenSizes } from './feeding.js';

export type { Change };

/** What a model comes to: sizes in bytes, work of one run where open sizes are 1. */
export interface SideFacts {
  readonly bytes: number;
  readonly nodes: number;
  readonly parameters: number;
  readonly weightBytes: number;
  readonly multiplyAdds: number;
}

export const STATUSES = ['changed', 'added', 'removed', 'renamed', 'moved', 'same'] as const;
export type Status = (typeof STATUSES)[number];

/** A node of one side; `id` is its place: `12`, `12/body/3`. */
export interface NodeCell {
  readonly id: string;
  readonly operator: string;
  readonly name: string;
  readonly multiplyAdds: number | null;
  readonly weightBytes: number;
}

export interface NodeRow {
  readonly status: Status;
  readonly before: NodeCell | null;
  readonly after: NodeCell | null;
  readonly changes: readonly Change[];
}

export interface Compared {
  readonly sides: readonly [SideFacts, SideFacts];
  /** How many nodes each status has. */
  readonly counts: Readonly<Record<Status, number>>;
  /** Of inputs, outputs, opsets, metadata and weights that no node reads. */
  readonly others: readonly Change[];
  /** The second model, where the worker has made it. */
  readonly made: ModelFiles | null;
  /** Open sizes of the inputs of both. */
  readonly symbols: readonly string[];
}

/** Nodes of one graph that are no longer, or not yet, what they are on the other side. */
export interface Marked {
  readonly index: Int32Array;
  /** Indices into STATUSES. */
  readonly status: Uint8Array;
}

/** The graph of the other side in which most nodes of a graph are; null where none is. */
export interface Counterparts {
  readonly path: string | null;
  /** The node there by the node here; -1 where there is none. */
  readonly nodes: Int32Array;
}

export interface Timed {
  /** Medians of the runs, the sides in turn. */
  readonly milliseconds: readonly [number, number];
  readonly runs: number;
  /** The largest sum of activations at one time; null where nothing runs in linear memory. */
  readonly peak: readonly [number | null, number | null];
  readonly outputs: readonly {
    readonly name: string;
    /** Its name in the second model. */
    readonly other: string;
    readonly relativeL2: number;
    readonly maxAbs: number;
    readonly mismatch: string | undefined;
  }[];
}

/** A worker that compares two models, and keeps what it found. */
export interface CompareService {
  /** `simplified`: with what the toolkit's `simplify` makes of the first. */
  compare(before: ModelFiles, after: ModelFiles | 'simplified'): Promise<Compared>;
  /** Rows of these statuses from a place on. */
  rows(statuses: readonly Status[], begin: number, count: number): readonly NodeRow[];
  /** Of the first side (0) or the second, in the graph at a path. */
  marks(side: 0 | 1, path: string): Marked;
  /** Of the nodes of the graph at a path of the first side (0) or the second. */
  counterparts(side: 0 | 1, path: string): Counterparts;
  /** Runs both on the same random inputs. */
  time(sizes: OpenSizes, runs: number, onProgress: (done: number) => void): Promise<Timed>;
}
