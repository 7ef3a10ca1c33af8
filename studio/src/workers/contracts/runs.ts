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

/** Facts about a kept value without its data. */
export interface ValueHead {
  readonly name: string;
  /** Null for sequences, maps and absent optionals. */
  readonly tensor: { readonly type: ElementType; readonly dims: readonly number[] } | null;
  /** Its first elements, for display. */
  readonly text: string;
}

/** A run; the worker keeps its values until it is forgotten. */
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

/** An image fed to an input. */
export interface FedPicture {
  readonly input: string;
  /** The image before it was cropped, scaled and normalized; null for arrays, and if the browser cannot decode the file. */
  readonly given: ImageData | null;
  /** The tensor that the model was fed, as an image. */
  readonly seen: ImageData;
  /** A description of how its values became colors. */
  readonly says: string;
}

/** A value inside the graph, captured in a run. */
export interface CapturedValue extends ValueHead {
  /** Null for values without numbers. */
  readonly statistics: Statistics | null;
}

export interface CapturedRun {
  readonly id: number;
  readonly settings: Settings;
  /** The feeds, followed by the computed values. */
  readonly values: readonly CapturedValue[];
  /** Values of the model that the optimised graph no longer computes. */
  readonly optimizedAway: readonly string[];
}

/** Timings of several runs, and the steps of the fastest of several profiled runs. */
export interface Measurement {
  readonly settings: Settings;
  readonly threads: number;
  /** Milliseconds taken to create the session, and by the first run, which plans and packs weights. */
  readonly create: number;
  readonly first: number;
  /** Milliseconds of each later run, in order. */
  readonly runs: Float64Array;
  /** Milliseconds of the profiled run that `steps` is from, which executes step by step. */
  readonly profiled: number;
  readonly steps: readonly StepTiming[];
  readonly memory: MemoryPlan | null;
}

/** The limits of this machine with these kernels, measured with a matrix product and a sum of long vectors. */
export interface Ceiling {
  /** Billions of floating-point operations per second; a multiply-add counts as two. */
  readonly gigaflops: number;
  /** GB read and written per second. */
  readonly bandwidth: number;
  readonly threads: number;
}

/** A job that can be cancelled by its number. */
export interface Job {
  readonly job: number;
}

export interface RunsService {
  /** @param progress called with the fraction of bytes loaded, 0 … 1 */
  open(files: ModelFiles, settings: Settings, job: Job, progress?: (part: number) => void): Promise<OpenedSession>;
  close(session: number): Promise<void>;
  cancel(job: number): void;
  /** @param replaces a run to forget */
  run(session: number, feeding: Feeding, job: Job, labels?: readonly string[], replaces?: number): Promise<DoneRun>;
  /** The feeds for a model's inputs, as tensors for another runtime. */
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
  /** A measurement as a Chrome trace, see `toChromeTrace` in `sardonyx/model`. */
  trace(measurement: Pick<Measurement, 'steps' | 'memory'>, title: string): string;
  ceiling(settings: Settings): Promise<Ceiling>;
  /** See `TensorLook` for this and the next three, on a kept tensor. */
  summary(run: number, name: string): ReturnType<TensorLook['summary']>;
  picture(run: number, name: string): ReturnType<TensorLook['picture']>;
  cells(run: number, name: string, window: CellWindow): ReturnType<TensorLook['cells']>;
  npy(run: number, name: string): ReturnType<TensorLook['npy']>;
  /** Runs in a separate session, and keeps the feeds and every computed value of the graph. */
  capture(files: ModelFiles, settings: Settings, feeding: Feeding, job: Job): Promise<CapturedRun>;
  /** The model with all computed values as outputs, for other runtimes. */
  withAllOutputs(files: ModelFiles): Promise<Opened>;
  /** Captured values compared with those of another runtime, worst first. */
  compare(
    run: number,
    theirs: Readonly<Record<string, TensorValue>>,
    ranked: readonly string[],
    tolerance: number,
  ): Promise<readonly Judged[]>;
  rewrites(files: ModelFiles, settings: Settings): Promise<Rewrites>;
  /** The nodes that one rewrite removes and adds; the first rewrite is number 0. */
  rewriteAt(files: ModelFiles, settings: Settings, index: number): Promise<RewriteChange>;
  /** Finds the rewrite that takes results out of tolerance. */
  bisect(
    files: ModelFiles,
    settings: Settings,
    feeding: Feeding,
    tolerance: number,
    job: Job,
    progress?: (part: number) => void,
  ): Promise<Bisection>;
  forget(run: number): void;
  /** The number of sessions and runs kept, to check for leaks. */
  held(): { readonly sessions: number; readonly runs: number };
}

/** A way to show an output other than as numbers. */
export type Look =
  | { readonly kind: 'labels'; readonly output: string; readonly entries: readonly LabelEntry[] }
  | { readonly kind: 'boxes'; readonly picture: ImageData | null; readonly found: Detections }
  | { readonly kind: 'picture'; readonly output: string; readonly picture: ImageData; readonly says: string }
  | { readonly kind: 'sound'; readonly output: string; readonly samples: Float32Array };

export interface LabelEntry {
  readonly index: number;
  readonly label: string;
  readonly value: number;
  /** Softmax of the scores; undefined if they are already probabilities. */
  readonly softmax?: number | undefined;
}

/** Boxes found by a detector, highest score first. */
export interface Detections {
  /** Left, top, right, bottom of each box, in pixels of the input image or as fractions of its size. */
  readonly boxes: Float32Array;
  readonly scores: Float32Array;
  readonly labels: readonly string[];
  readonly isRelative: boolean;
}

/** A model with all values that its graph computes as outputs. */
export interface Opened {
  readonly files: ModelFiles;
  /** Values ordered by score: two scores that differ only by rounding may change places. */
  readonly ranked: readonly string[];
}

/** A finding, and whether it agrees only in a different order. */
export type Judged = Finding & { readonly isReordered: boolean };

export interface Rewrites {
  readonly applied: readonly { readonly rule: string; readonly node: string }[];
  readonly refused: readonly { readonly rule: string; readonly node: string; readonly reason: string }[];
  /** The number of nodes in the model's graph and in the optimized one. */
  readonly nodes: readonly [before: number, after: number];
}

/** A node of a graph between two rewrites, for display. */
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

/** Statistics of all finite numbers of a tensor; NaN and infinities are counted separately. */
export interface Statistics {
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  /** The population standard deviation. */
  readonly deviation: number;
  readonly zeros: number;
  readonly nans: number;
  readonly infinities: number;
}
