import { IntegerResult } from '../../../../build/quantized-kernels.js';
import { isAtMost } from '../../../graph/guards.js';
import { product } from '../../../graph/sizes.js';
import {
  BIAS,
  type IntegerEpilogue,
  SCALE,
  W,
  W_ZERO,
  X,
  X_ZERO,
  Y_ZERO,
} from '../../../primitives/integer-epilogue.js';
import type { Lowering } from '../lowering.js';

const RESULTS: Readonly<Record<string, IntegerResult>> = {
  int32: IntegerResult.Integers,
  float32: IntegerResult.Floats,
};

const pointerTo = (c: Lowering, i: number) => (c.given(i) ? c.input(i) : 0);
const stepOf = (c: Lowering, i: number) => (c.given(i) && !isAtMost(product(c.shape(i)), 1) ? 1 : 0);
const isSigned = (element: string) => Number(element === 'int8');

/** Kernel fields for zero points, scales and the result type. */
export const integerEpilogueOf = (c: Lowering, { low, high }: IntegerEpilogue) => ({
  xZero: pointerTo(c, X_ZERO),
  xZeroStep: stepOf(c, X_ZERO),
  xSigned: isSigned(c.element(X)),
  wZero: pointerTo(c, W_ZERO),
  wZeroStep: stepOf(c, W_ZERO),
  wSigned: isSigned(c.element(W)),
  result: RESULTS[c.outputElement(0)] ?? IntegerResult.Narrow,
  scale: pointerTo(c, SCALE),
  scaleStep: stepOf(c, SCALE),
  bias: pointerTo(c, BIAS),
  yZero: pointerTo(c, Y_ZERO),
  ySigned: isSigned(c.outputElement(0)),
  low,
  high,
});
