import type { Node } from '../../../graph/graph.js';

/** What the contents of an input change by with each step; zeros for what stays. */
type Steps = readonly number[];
type StepsOf = (i: number) => Steps;

const stays = (steps: Steps): boolean => steps.every((step) => step === 0);
const always = () => true;
const byStill =
  (...inputs: readonly number[]) =>
  (of: StepsOf) =>
    inputs.every((i) => stays(of(i)));

/** Operators whose integers change by equal steps where sizes and contents of their inputs do, some as long as others stay. */
const EVEN: Readonly<Record<string, (of: StepsOf) => boolean>> = {
  Add: always,
  Cast: always,
  Concat: always,
  Gather: byStill(1),
  Identity: always,
  Mul: (of) => stays(of(0)) || stays(of(1)),
  // As many numbers at every step.
  Range: (of) => stays(of(2)) && of(0).join() === of(1).join(),
  Reshape: byStill(1),
  Shape: always,
  Slice: byStill(1, 2, 3, 4),
  Squeeze: byStill(1),
  Sub: always,
  Unsqueeze: byStill(1),
};

/** Whether what a node gives after some steps follows from what it gives after the first two. */
export const isEvenNode = ({ domain, op }: Node, stepsOf: StepsOf): boolean =>
  domain === '' && (EVEN[op]?.(stepsOf) ?? false);
