import type { ElementType, MemoryPlan, StepTiming, TensorValue, TypedArray, ValueMetadata } from 'sardonyx';
import type { ModelFiles } from '../documents/service.js';
import type { Feeding } from './choices.js';
import type { Look } from './looks.js';
import type { Settings } from './settings.js';
import type { Statistics } from './statistics.js';

/** A session in the worker. */
export interface OpenedSession {
  readonly id: number;
  readonly settings: Settings;
  readonly inputs: readonly ValueMetadata[];
  readonly outputs: readonly ValueMetadata[];
  readonly milliseconds: number;
  /** Rewrites that the optimizer made, in order. */
  readonly rewrites: readonly { readonly rule: string; readonly node: string }[];
}

/** What is known of a kept value without its data. */
export interface ValueHead {
  readonly name: string;
  /** Null of sequences, maps and absent optionals. */
  readonly tensor: { readonly type: ElementType; readonly dims: readonly number[] } | null;
  /** Its first elements, for people. */
  readonly text: string;
}

/** A run, whose values the worker keeps until it is forgotten. */
export interface DoneRun {
  readonly id: number;
  readonly settings: Settings;
  readonly threads: number;
  readonly milliseconds: number;
  readonly outputs: readonly ValueHead[];
  readonly looks: readonly Look[];
}

/** A value inside the graph, as a run that captured has it. */
export interface CapturedValue extends ValueHead {
  /** Null of what has no numbers. */
  readonly statistics: Statistics | null;
}

export interface CapturedRun {
  readonly id: number;
  readonly values: readonly CapturedValue[];
  /** Values of the model that the optimised graph no longer computes. */
  readonly optimizedAway: readonly string[];
}

/** What a thread did of a step. */
export interface ThreadShare {
  readonly thread: number;
  readonly start: number;
  readonly milliseconds: number;
  readonly tiles: number;
}

/** A step with what it moved and computed; `start` in milliseconds since the run began. */
export interface Step extends StepTiming {
  readonly start: number;
  readonly bytes: number;
  readonly multiplyAdds: number;
  readonly threads: readonly ThreadShare[];
}

/** Several runs timed, and one of them, of middling length, by its steps. */
export interface Measurement {
  readonly settings: Settings;
  readonly threads: number;
  /** Milliseconds of creation and of the first run, which plans and packs weights. */
  readonly create: number;
  readonly first: number;
  /** Milliseconds of each later run, in order. */
  readonly runs: Float64Array;
  /** Milliseconds of the run whose steps these are, which goes step by step. */
  readonly profiled: number;
  readonly steps: readonly Step[];
  readonly memory: MemoryPlan | null;
}

/** What this machine can do with these kernels, as a matrix product and a long sum of its own show. */
export interface Ceiling {
  /** G floating-point operations a second: two for each multiply-add. */
  readonly gigaflops: number;
  /** GB read and written a second. */
  readonly bandwidth: number;
  readonly threads: number;
}

/** A work that can be cancelled by its number. */
export interface Job {
  readonly job: number;
}

export interface RunsService {
  /** @param progress told of the part of the bytes that has come, 0 … 1 */
  open(files: ModelFiles, settings: Settings, job: Job, progress?: (part: number) => void): Promise<OpenedSession>;
  close(session: number): Promise<void>;
  cancel(job: number): void;
  /** @param replaces a run that is forgotten for it */
  run(session: number, feeding: Feeding, job: Job, labels?: readonly string[], replaces?: number): Promise<DoneRun>;
  /** What a model's inputs would be fed, as tensors for another runtime. */
  feeds(files: ModelFiles, feeding: Feeding): Promise<Record<string, TensorValue>>;
  /** Milliseconds of one run. */
  time(session: number, feeding: Feeding): Promise<number>;
  measure(
    session: number,
    feeding: Feeding,
    runs: number,
    job: Job,
    progress?: (part: number) => void,
  ): Promise<Measurement>;
  ceiling(settings: Settings): Promise<Ceiling>;
  /** Elements `begin` to `end` of a kept tensor as they are stored; for types below a byte, entries of the array. */
  read(run: number, name: string, begin: number, end: number): TypedArray | readonly string[];
  /** A kept tensor as a file of NumPy. */
  npy(run: number, name: string): Uint8Array<ArrayBuffer>;
  forget(run: number): void;
  /** How many sessions and runs are kept: to see that nothing is left behind. */
  held(): { readonly sessions: number; readonly runs: number };
}
