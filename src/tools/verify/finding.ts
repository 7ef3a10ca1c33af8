import type { Value } from '../../graph/graph.js';
import { formatType } from '../../graph/types.js';
import { type HostValue, isTensorValue } from '../../tensor/tensor-value.js';
import { compare } from '../difference.js';
import { type Bounds, isWithin } from './within.js';

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

export function judge(
  { name, type }: Value,
  actual: HostValue,
  expected: HostValue,
  bounds: Bounds,
): Omit<VerifiedOutput, 'model' | 'set'> {
  const { relativeL2, maxAbs, mismatch } = compare(actual, expected);
  const shown = isTensorValue(expected) ? `${expected.type}[${expected.dims}]` : formatType(type);
  const problem = mismatch === undefined ? {} : { problem: mismatch };
  const measured = { type: shown, relativeL2, maxAbs, ...problem };
  const passed = isWithin(measured, bounds);
  return { output: name, type: shown, relativeL2, maxAbs, passed, ...problem };
}
