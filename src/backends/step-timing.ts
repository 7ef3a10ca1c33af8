/** One timed step of a run: a kernel launch, or an operator on the host. */
export interface StepTiming {
  readonly node: string;
  readonly operator: string;
  /** The kernel's name, or `host`. */
  readonly kernel: string;
  /** Parts of the step that threads can share; 1 on the host. */
  readonly tiles: number;
  readonly milliseconds: number;
}
