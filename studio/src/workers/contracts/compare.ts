import type { Change } from 'sardonyx/model';
import type { ModelFiles } from './documents.js';
import type { OpenSizes } from './feeding.js';

export type { Change };

/** Totals of a model: sizes in bytes, and the work of one run with open sizes set to 1. */
export interface SideFacts {
  readonly bytes: number;
  readonly nodes: number;
  readonly parameters: number;
  readonly weightBytes: number;
  readonly multiplyAdds: number;
}

export const STATUSES = ['changed', 'added', 'removed', 'renamed', 'moved', 'same'] as const;
export type Status = (typeof STATUSES)[number];

/** A node on one side; `id` is its location: `12`, `12/body/3`. */
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
  /** The number of nodes by status. */
  readonly counts: Readonly<Record<Status, number>>;
  /** Changes to inputs, outputs, opsets, metadata and weights that no node reads. */
  readonly others: readonly Change[];
  /** The second model, if the worker created it. */
  readonly made: ModelFiles | null;
  /** Open sizes of the inputs of both. */
  readonly symbols: readonly string[];
}

/** Nodes of one graph that differ from the other side. */
export interface Marked {
  readonly index: Int32Array;
  /** Indices into STATUSES. */
  readonly status: Uint8Array;
}

/** The graph on the other side that contains most of a graph's nodes; null if there is none. */
export interface Counterparts {
  readonly path: string | null;
  /** The matching node for each node; -1 if there is none. */
  readonly nodes: Int32Array;
}

export interface Timed {
  /** The median of the runs on each side; the sides run alternately. */
  readonly milliseconds: readonly [number, number];
  readonly runs: number;
  /** The peak size of activations; null if nothing runs in linear memory. */
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

/** A worker that compares two models and keeps the results. */
export interface CompareService {
  /** `simplified` compares with the result of the toolkit's `simplify` on the first. */
  compare(before: ModelFiles, after: ModelFiles | 'simplified'): Promise<Compared>;
  /** `count` rows with these statuses, starting at `begin`. */
  rows(statuses: readonly Status[], begin: number, count: number): readonly NodeRow[];
  /** Changed nodes in the graph at a path, on the first side (0) or the second. */
  marks(side: 0 | 1, path: string): Marked;
  /** Counterparts of the nodes in the graph at a path, on the first side (0) or the second. */
  counterparts(side: 0 | 1, path: string): Counterparts;
  /** Runs both on the same random inputs. */
  time(sizes: OpenSizes, runs: number, onProgress: (done: number) => void): Promise<Timed>;
}
