import type { HostValue } from '../../src/tensor/tensor-value.js';
import { described } from '../../src/tools/conformance/described.js';
import type { Tolerance } from '../../src/tools/conformance/index.js';
import { toleranceOf } from '../../src/tools/conformance/tolerances.js';
import { compare } from '../../src/tools/difference.js';

export type { Tolerance };

export const DEFAULT_TOLERANCE = toleranceOf('');

/** What keeps `actual` from being `expected`; undefined if nothing does. */
export function difference(actual: HostValue, expected: HostValue, tolerance = DEFAULT_TOLERANCE): string | undefined {
  return described(compare(actual ?? null, expected, tolerance))?.message;
}
