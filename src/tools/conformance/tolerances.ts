import type { Tolerance } from '../difference.js';

/** What ONNX's runner allows. */
const DEFAULT: Tolerance = { relative: 1e-3, absolute: 1e-7 };

/** Where it allows more (https://github.com/onnx/onnx/blob/main/onnx/backend/test/case/model/__init__.py), or expects the rounding errors of float32 where the result is 0. */
const OTHERS: readonly (readonly [name: RegExp, Tolerance])[] = [
  [/\btest_dft_inverse$/, { ...DEFAULT, absolute: 1e-6 }],
  [/densenet121$/, { ...DEFAULT, relative: 2e-3 }],
];

export const toleranceOf = (name: string): Tolerance => OTHERS.find(([pattern]) => pattern.test(name))?.[1] ?? DEFAULT;
