import type { Primitive } from '../schema/definition.js';
import { type Kind, reduceOnHost } from './reduce-on-host.js';

export interface ReduceParameters {
  readonly kind: Kind;
  /** Of each axis, whether it is folded. */
  readonly folded: readonly boolean[];
  readonly keepsAxes: boolean;
}

/** One number of all elements along some axes. */
export const reduce: Primitive<ReduceParameters> = {
  name: 'reduce',
  facts: {},
  reference: (c, { kind, folded, keepsAxes }) => [reduceOnHost(c.tensor(0), kind, folded, keepsAxes)],
};
