/** How far outputs may be from what is expected. */
export interface Bounds {
  /** Largest relative L2 error of floating-point outputs, 1e-4 if left out; all others must be equal. */
  readonly tolerance?: number | undefined;
  /** For outputs of 4 columns (boxes), the largest absolute error instead. */
  readonly boxes?: number | undefined;
}

export const TOLERANCE = 1e-4;

/** What was measured of an output; see `VerifiedOutput`. */
interface Measured {
  readonly type: string;
  readonly relativeL2: number | null;
  readonly maxAbs: number | null;
  readonly problem?: string;
}

/** Tensors whose last size is 4. */
const BOXES = /^\w+\[(.*,)?4\]$/;

/** Whether what was measured is within other bounds, too; a problem never is. */
export function isWithin({ type, relativeL2, maxAbs, problem }: Measured, bounds: Bounds): boolean {
  const { tolerance = TOLERANCE, boxes } = bounds;
  if (problem !== undefined || relativeL2 === null || maxAbs === null) return false;
  return boxes !== undefined && BOXES.test(type) ? maxAbs <= boxes : relativeL2 <= tolerance;
}
