/** A condition that a plan assumes of sizes. */
export interface PlanGuard {
  /** As a comparison, such as `sequence ≤ 512`. */
  readonly condition: string;
  /** The node that is planned again where the condition fails; null where the whole plan is. */
  readonly node: string | null;
}

/** The sizes for which the plan of the last run serves. */
export interface PlanExplanation {
  /** Open sizes of the inputs, with their values in the plan, in the order of the inputs. */
  readonly sizes: Readonly<Record<string, number>>;
  /** Conditions under which other sizes take the same plan. Room in buffers is one of them: a plan for larger sizes has more. */
  readonly guards: readonly PlanGuard[];
  /** Nodes that are inferred or planned again at other sizes, since their rules take numbers. */
  readonly repeated: readonly string[];
}
