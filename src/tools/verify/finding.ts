import type { Value } from '../../graph/graph.js';
import { formatType } from '../../graph/types.js';
import { type HostValue, isTensorValue } from '../../tensor/tensor-value.js';
import { compare } from '../difference.js';

/** How far outputs may be from what is expected. */
export interface Bounds {
  /** Largest relative L2 error of floating-point outputs, 1e-4 if left out; all others must be equal. */
  readonly tolerance?: number | undefined;
  /** For outputs of 4 columns (boxes), the largest absolute error instead. */
  readonly boxes?: number | undefined;
}

/** One output of one data set; or what kept a data set or model from running. */
export interface VerifiedOutput {
  readonly model: string;
  readonly set: string;
  readonly output: string;
  /** `float32[1,10]`. */
  readonly type: string;
  /** ‖actual − expected‖₂ / ‖expected‖₂, and the largest |actual − expected|; NaN where they cannot be compared, null where nothing ran. */
  readonly relativeL2: number | null;
  readonly maxAbs: number | null;
  readonly passed: boolean;
  readonly problem?: string;
}

export const TOLERANCE = 1e-4;

export function judge(
  { name, type }: Value,
  actual: HostValue,
  expected: HostValue,
  { tolerance = TOLERANCE, boxes }: Bounds,
): Omit<VerifiedOutput, 'model' | 'set'> {
  const { relativeL2, maxAbs, mismatch } = compare(actual, expected);
  const areBoxes = boxes !== undefined && isTensorValue(expected) && expected.dims.at(-1) === 4;
  const passed = mismatch === undefined && (areBoxes ? maxAbs <= boxes : relativeL2 <= tolerance);
  const shown = isTensorValue(expected) ? `${expected.type}[${expected.dims}]` : formatType(type);
  return { output: name, type: shown, relativeL2, maxAbs, passed, ...(mismatch && { problem: mismatch }) };
}
