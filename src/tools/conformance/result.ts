export const OUTCOMES = ['passed', 'failed', 'refused'] as const;

/** The outcome of a test case. `refused`: the runtime reports that it does not support the model. */
export type Outcome = (typeof OUTCOMES)[number];

/** A problem of a test case: an output that differs, or an error. */
export interface ConformanceProblem {
  /** Describes the problem. */
  readonly message: string;
  /** The data set that failed. */
  readonly dataSet?: string;
  /** The output that differs; undefined for an error. */
  readonly output?: string;
  /** The largest |actual − expected|; null if it is not finite. */
  readonly maxAbs?: number | null;
  /** ‖actual − expected‖₂ / ‖expected‖₂; null if it is not finite. */
  readonly relativeL2?: number | null;
  /**
   * The element that exceeds the tolerance most. 64-bit integers and numbers that JSON does not support are strings.
   */
  readonly at?: {
    readonly index: readonly number[];
    readonly actual: number | string;
    readonly expected: number | string;
  };
}

/** The result of a test case. */
export interface ConformanceResult {
  /** The name of the case. */
  readonly name: string;
  /** Whether the case passed, failed, or is not supported. */
  readonly outcome: Outcome;
  /** The problems; empty if the case passed. */
  readonly problems: readonly ConformanceProblem[];
  /** The operators of the model, such as `Conv` or `com.microsoft.Gelu`. */
  readonly operators: readonly string[];
  /** The opsets that the model imports, by domain. */
  readonly opsets: Readonly<Record<string, number>>;
  /** The duration, from loading the model to comparing the outputs. */
  readonly milliseconds: number;
}
