/** A condition on sizes that a plan assumes. */
export interface PlanGuard {
  /** As a comparison, such as `sequence ≤ 512`. */
  readonly condition: string;
  /** The node that is planned again if the condition fails; null if the whole plan is. */
  readonly node: string | null;
}

/** The sizes that the plan of the last run serves. */
export interface PlanExplanation {
  /** Symbolic sizes of the inputs, in the order of the inputs, with their values in the plan. */
  readonly sizes: Readonly<Record<string, number>>;
  /** Conditions under which other sizes use the same plan, buffer capacity included: larger plans have more. */
  readonly guards: readonly PlanGuard[];
  /** Nodes that are inferred or planned again for other sizes, because their rules require numbers. */
  readonly repeated: readonly string[];
}
