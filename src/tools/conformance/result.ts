export const OUTCOMES = ['passed', 'failed', 'refused'] as const;

/** `refused`: the runtime says that it does not support the model. */
export type Outcome = (typeof OUTCOMES)[number];

/** What went wrong: an output that is off, or, without a name of one, what was thrown. */
export interface ConformanceProblem {
  readonly message: string;
  readonly dataSet?: string;
  readonly output?: string;
  /** The largest |actual − expected|, and ‖actual − expected‖₂ / ‖expected‖₂; null where they are no finite numbers. */
  readonly maxAbs?: number | null;
  readonly relativeL2?: number | null;
  /** Where a tensor is out of tolerance most; numbers that JSON lacks, and 64-bit integers, are text. */
  readonly at?: {
    readonly index: readonly number[];
    readonly actual: number | string;
    readonly expected: number | string;
  };
}

/** What became of a case. */
export interface ConformanceResult {
  readonly name: string;
  readonly outcome: Outcome;
  /** Empty where it passed. */
  readonly problems: readonly ConformanceProblem[];
  /** Operators that the model calls: `Conv`, `com.microsoft.Gelu`. */
  readonly operators: readonly string[];
  /** Versions by domain. */
  readonly opsets: Readonly<Record<string, number>>;
  /** From the bytes to the comparison. */
  readonly milliseconds: number;
}
