import type { Tolerance } from '../difference.js';

/** The tolerance of ONNX's test runner. */
const DEFAULT: Tolerance = { relative: 1e-3, absolute: 1e-7 };

/**
 * Cases with a larger tolerance, as in https://github.com/onnx/onnx/blob/main/onnx/backend/test/case/model/__init__.py,
 * or because results near 0 have float32 rounding errors.
 */
const OTHERS: readonly (readonly [name: RegExp, Tolerance])[] = [
  [/\btest_dft_inverse$/, { ...DEFAULT, absolute: 1e-6 }],
  [/densenet121$/, { ...DEFAULT, relative: 2e-3 }],
];

export const toleranceOf = (name: string): Tolerance => OTHERS.find(([pattern]) => pattern.test(name))?.[1] ?? DEFAULT;
