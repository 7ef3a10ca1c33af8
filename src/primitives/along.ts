import { intAttribute } from '../graph/attributes.js';
import type { Inference, Reordered, Restatement } from '../schema/definition.js';
import { axisOf } from '../schema/shapes.js';

/** The axis of a primitive, counted from 0. */
export interface Along {
  readonly axis: number;
}

/** The axis of operand 0 that the attribute names, or undefined while the rank is unknown. */
export function along(c: Inference<Along>): Along | undefined {
  const dims = c.dims(0);
  return dims && { axis: axisOf(c, c.attributes.axis, dims.length) };
}

/** Restates the parameter as the attribute `axis`. */
export const restateAxis = (_: unknown, { axis }: Along): Restatement => ({ attributes: { axis: intAttribute(axis) } });

/** Moves a primitive that keeps all axes from after a transposition to before it, where its axis is `perm[axis]`. */
export const movedAxis = <P extends Along>(parameters: P, perm: readonly number[]): Reordered<P> => ({
  parameters: { ...parameters, axis: perm[parameters.axis] as number },
  perm,
});
