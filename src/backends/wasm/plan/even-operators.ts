import type { Node } from '../../../graph/graph.js';
import { type Form, isStill } from './multi-affine.js';

/** The numbers in an input. */
type FormsOf = (i: number) => readonly Form[];

const stays = (forms: readonly Form[]): boolean => forms.every(isStill);
const changes = (forms: readonly Form[]): string => forms.map((form) => form.slice(1)).join();
const always = () => true;
const byStill =
  (...inputs: readonly number[]) =>
  (of: FormsOf) =>
    inputs.every((i) => stays(of(i)));

/** Operators whose integers change by equal steps where sizes and contents of their inputs do, some as long as others stay. */
const EVEN: Readonly<Record<string, (of: FormsOf) => boolean>> = {
  Add: always,
  Cast: always,
  Concat: always,
  Gather: byStill(1),
  Identity: always,
  Mul: (of) => stays(of(0)) || stays(of(1)),
  // As many numbers at every step.
  Range: (of) => stays(of(2)) && changes(of(0)) === changes(of(1)),
  Reshape: byStill(1),
  Shape: always,
  Slice: byStill(1, 2, 3, 4),
  Squeeze: byStill(1),
  Sub: always,
  Unsqueeze: byStill(1),
};

/** Whether what a node gives after some steps follows from what it gives after the first two. */
export const isEvenNode = ({ domain, op }: Node, formsOf: FormsOf): boolean =>
  domain === '' && (EVEN[op]?.(formsOf) ?? false);
