import type { Primitive } from '../schema/definition.js';
import { type Kind, reduceOnHost } from './reduce-on-host.js';
import { inverse } from './transpose.js';

export interface ReduceParameters {
  readonly kind: Kind;
  /** Whether each axis is reduced. */
  readonly folded: readonly boolean[];
  readonly keepsAxes: boolean;
}

function beforeTransposition(parameters: ReduceParameters, perm: readonly number[]) {
  const folded = inverse(perm).map((axis) => parameters.folded[axis] as boolean);
  const moved = { ...parameters, folded };
  if (parameters.keepsAxes) return { parameters: moved, perm };
  const left = perm.filter((axis) => !folded[axis]);
  const order = [...left].sort((a, b) => a - b);
  return { parameters: moved, perm: left.map((axis) => order.indexOf(axis)) };
}

/** Reduces all elements along some axes to one number. */
export const reduce: Primitive<ReduceParameters> = {
  name: 'reduce',
  facts: { beforeTransposition },
  reference: (c, { kind, folded, keepsAxes }) => [reduceOnHost(c.tensor(0), kind, folded, keepsAxes)],
};
