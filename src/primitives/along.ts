import type { Inference } from '../schema/definition.js';
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
