/** The accepted difference between outputs and expected values. */
export interface Bounds {
  /** The largest relative L2 error of floating-point outputs. Default: 1e-4. All other outputs must be equal. */
  readonly tolerance?: number | undefined;
  /** The largest absolute error of outputs with 4 columns (bounding boxes), in place of the relative error. */
  readonly boxes?: number | undefined;
}

export const TOLERANCE = 1e-4;

/** Measurements of an output; see `VerifiedOutput`. */
interface Measured {
  readonly type: string;
  readonly relativeL2: number | null;
  readonly maxAbs: number | null;
  readonly problem?: string;
}

/** Types of tensors with a last dimension of 4. */
const BOXES = /^\w+\[(.*,)?4\]$/;

/** Returns whether a result is also within other bounds. Errors never are. */
export function isWithin({ type, relativeL2, maxAbs, problem }: Measured, bounds: Bounds): boolean {
  const { tolerance = TOLERANCE, boxes } = bounds;
  if (problem !== undefined || relativeL2 === null || maxAbs === null) return false;
  return boxes !== undefined && BOXES.test(type) ? maxAbs <= boxes : relativeL2 <= tolerance;
}
