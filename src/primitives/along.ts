import { intAttribute } from '../graph/attributes.js';
import type { Inference, Reordered, Restatement } from '../schema/definition.js';
import { axisOf } from '../schema/shapes.js';

/** The axis, counted from 0, that a primitive works along. */
export interface Along {
  readonly axis: number;
}

/** The axis of operand 0 that the attribute names; undefined while the rank is unknown. */
export function along(c: Inference<Along>): Along | undefined {
  const dims = c.dims(0);
  return dims && { axis: axisOf(c, c.attributes.axis, dims.length) };
}

/** How an operator says the axis. */
export const restateAxis = (_: unknown, { axis }: Along): Restatement => ({ attributes: { axis: intAttribute(axis) } });

/** What keeps all axes is before a transposition as after it, along the axis that was moved there. */
export const movedAxis = <P extends Along>(parameters: P, perm: readonly number[]): Reordered<P> => ({
  parameters: { ...parameters, axis: perm[parameters.axis] as number },
  perm,
});
