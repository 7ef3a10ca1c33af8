import type { ElementType, MemoryPlan, StepTiming, TensorValue, ValueMetadata } from 'sardonyx';
import type { Bisection, Finding } from 'sardonyx/model';
import type { ModelFiles } from './documents.js';
import type { Feeding } from './feeding.js';
import type { Settings } from './settings.js';
import type { CellWindow, TensorLook } from './tensors.js';

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
  readonly fed: readonly ValueHead[];
  readonly outputs: readonly ValueHead[];
  readonly looks: readonly Look[];
  readonly pictures: readonly FedPicture[];
}

/** An image that an input was fed. */
export interface FedPicture {
  readonly input: string;
  /** The image before it was cropped, scaled and normalized; null of arrays, and where the browser cannot decode the file. */
  readonly given: ImageData | null;
  /** The tensor that the model was fed, as an image. */
  readonly seen: ImageData;
  /** How its values became colors. */
  readonly says: string;
}

/** A value inside the graph, as a run that captured has it. */
export interface CapturedValue extends ValueHead {
  /** Null of what has no numbers. */
  readonly statistics: Statistics | null;
}

export interface CapturedRun {
  readonly id: number;
  readonly settings: Settings;
  /** What was fed, then what was computed. */
  readonly values: readonly CapturedValue[];
  /** Values of the model that the optimised graph no longer computes. */
  readonly optimizedAway: readonly string[];
}

/** Several runs timed, and the shortest of some more by its steps. */
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
  readonly steps: readonly StepTiming[];
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
  /** A measurement as Chrome's trace: see `toChromeTrace` of `sardonyx/model`. */
  trace(measurement: Pick<Measurement, 'steps' | 'memory'>, title: string): string;
  ceiling(settings: Settings): Promise<Ceiling>;
  /** What `TensorLook` says, of a kept tensor. */
  summary(run: number, name: string): ReturnType<TensorLook['summary']>;
  picture(run: number, name: string): ReturnType<TensorLook['picture']>;
  cells(run: number, name: string, window: CellWindow): ReturnType<TensorLook['cells']>;
  npy(run: number, name: string): ReturnType<TensorLook['npy']>;
  /** Runs on a session of its own, and keeps every value of the graph that it computes, and what was fed. */
  capture(files: ModelFiles, settings: Settings, feeding: Feeding, job: Job): Promise<CapturedRun>;
  /** The model with all values that are computed as outputs: for other runtimes. */
  withAllOutputs(files: ModelFiles): Promise<Opened>;
  /** Captured values beside those of another runtime, the worst first. */
  compare(
    run: number,
    theirs: Readonly<Record<string, TensorValue>>,
    ranked: readonly string[],
    tolerance: number,
  ): Promise<readonly Judged[]>;
  rewrites(files: ModelFiles, settings: Settings): Promise<Rewrites>;
  /** What one rewrite takes away and puts in its place; the first is number 0. */
  rewriteAt(files: ModelFiles, settings: Settings, index: number): Promise<RewriteChange>;
  /** The rewrite with which results leave the tolerance. */
  bisect(
    files: ModelFiles,
    settings: Settings,
    feeding: Feeding,
    tolerance: number,
    job: Job,
    progress?: (part: number) => void,
  ): Promise<Bisection>;
  forget(run: number): void;
  /** How many sessions and runs are kept: to see that nothing is left behind. */
  held(): { readonly sessions: number; readonly runs: number };
}

/** What an output is to people, beside its numbers. */
export type Look =
  | { readonly kind: 'labels'; readonly output: string; readonly entries: readonly LabelEntry[] }
  | { readonly kind: 'boxes'; readonly picture: ImageData | null; readonly found: Detections }
  | { readonly kind: 'picture'; readonly output: string; readonly picture: ImageData; readonly says: string }
  | { readonly kind: 'sound'; readonly output: string; readonly samples: Float32Array };

export interface LabelEntry {
  readonly index: number;
  readonly label: string;
  readonly value: number;
  /** Softmax of the scores; undefined where these are probabilities already. */
  readonly softmax?: number | undefined;
}

/** Boxes that a detector found, the surest first. */
export interface Detections {
  /** Left, top, right, bottom of each: pixels of what was fed, or parts of its size. */
  readonly boxes: Float32Array;
  readonly scores: Float32Array;
  readonly labels: readonly string[];
  readonly isRelative: boolean;
}

/** A model that gives out all that its graph computes. */
export interface Opened {
  readonly files: ModelFiles;
  /** Values whose order is that of scores: two that differ by a rounding may change places. */
  readonly ranked: readonly string[];
}

/** A finding, and whether it agrees in another order alone. */
export type Judged = Finding & { readonly isReordered: boolean };

export interface Rewrites {
  readonly applied: readonly { readonly rule: string; readonly node: string }[];
  readonly refused: readonly { readonly rule: string; readonly node: string; readonly reason: string }[];
  /** Nodes of the model's graph, and of the optimised one. */
  readonly nodes: readonly [before: number, after: number];
}

/** A node of a graph between two rewrites, for people. */
export interface SaidNode {
  readonly operator: string;
  readonly name: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

export interface RewriteChange {
  readonly before: readonly SaidNode[];
  readonly after: readonly SaidNode[];
}

/** Of all finite numbers of a tensor; NaN and infinities are counted beside them. */
export interface Statistics {
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  /** Of the whole population. */
  readonly deviation: number;
  readonly zeros: number;
  readonly nans: number;
  readonly infinities: number;
}
