import type { Value } from '../../graph/graph.js';
import { formatType } from '../../graph/types.js';
import { type HostValue, isTensorValue } from '../../tensor/tensor-value.js';
import { compare } from '../difference.js';
import { type Bounds, isWithin } from './within.js';

/** The result for one output of a data set, or the error of a data set or model that could not run. */
export interface VerifiedOutput {
  /** The path of the model. */
  readonly model: string;
  /** The name of the data set. */
  readonly set: string;
  /** The name of the output. */
  readonly output: string;
  /** The type and shape, such as `float32[1,10]`. */
  readonly type: string;
  /** ‖actual − expected‖₂ / ‖expected‖₂; NaN if the values cannot be compared, null if the model did not run. */
  readonly relativeL2: number | null;
  /** The largest |actual − expected|; NaN if the values cannot be compared, null if the model did not run. */
  readonly maxAbs: number | null;
  /** Whether the output is within the tolerance. */
  readonly passed: boolean;
  /** Describes the problem. */
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
