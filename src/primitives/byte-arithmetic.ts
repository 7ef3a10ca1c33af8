import { broadcastStrides } from '../graph/dims.js';
import { tensorType } from '../graph/types.js';
import { float, int, oneOf, string } from '../schema/attributes.js';
import { by, defineOp, type Inference, type Primitive } from '../schema/definition.js';
import { broadcastInputs } from '../schema/shapes.js';
import { type ElementType, rangeOf } from '../tensor/element-types.js';
import { numbersOf, tensorOf } from '../tensor/numbers.js';
import { evaluateStrided } from '../tensor/strided.js';
import { FORMULAS } from './formulas.js';

/** Parameters of an operation on two 8-bit tensors; the numbers are float32. */
export interface ByteArithmeticParameters {
  readonly operation: string;
  readonly a_scale: number;
  readonly a_zero: number;
  readonly b_scale: number;
  readonly b_zero: number;
  readonly factor: number;
  readonly offset: number;
  readonly step: number;
  readonly zero: number;
  readonly low: number;
  readonly high: number;
}

const { fround } = Math;

type Combine = (a: number, b: number, p: ByteArithmeticParameters) => number;

const OPERATIONS: Readonly<Record<string, Combine>> = {
  Sum: (a, b, { offset }) => fround(fround(a + offset) + b),
  Product: (a, b, { factor, offset }) => fround(fround(fround(a * b) * factor) + offset),
};

/**
 * round(t / step) + zero, clamped to low…high and the result's range. t is (a' + offset) + b' for Sum, (a' · b') · factor + offset for
 * Product, with a' = (a − a_zero) · a_scale. Each operation rounds to float32.
 */
export const byteArithmetic: Primitive<ByteArithmeticParameters> = {
  name: 'byte arithmetic',
  facts: { isElementwise: true, inPlace: true },
  reference(c, p) {
    const { element, dims } = c.result(0);
    const [a, b] = [0, 1].map((i) => {
      const x = c.tensor(i);
      return numbersOf(evaluateStrided(x, dims, broadcastStrides(x.dims, dims), 0));
    }) as [ArrayLike<number>, ArrayLike<number>];
    const [least, largest] = rangeOf(element);
    const combine = OPERATIONS[p.operation] as Combine;
    const results = Float64Array.from(a, (x, i) => {
      const own = fround((x - p.a_zero) * p.a_scale);
      const other = fround(((b[i] as number) - p.b_zero) * p.b_scale);
      const rounded = FORMULAS.Round(fround(combine(own, other, p) / p.step), 0, 0, 0, 0) + p.zero;
      return Math.min(Math.max(rounded, p.low, least), p.high, largest);
    });
    return [tensorOf(element, dims, results)];
  },
};

const NARROW = ['int8', 'uint8'] as const;

export const byteArithmeticOperator = defineOp({
  domain: 'sardonyx',
  name: 'ByteArithmetic',
  signature: 'A: T1, B: T2 -> Y: T3',
  types: { T1: NARROW, T2: NARROW, T3: NARROW },
  attributes: {
    operation: oneOf('Sum', 'Product'),
    element: string.required,
    a_scale: float(1),
    a_zero: int(0),
    b_scale: float(1),
    b_zero: int(0),
    factor: float(1),
    offset: float(0),
    step: float(1),
    zero: int(0),
    low: float(Number.NEGATIVE_INFINITY),
    high: float(Number.POSITIVE_INFINITY),
  },
  guarded: true,
  infer: (c) => [tensorType(c.attributes.element as ElementType, broadcastInputs(c, [0, 1]))],
  computes: by(byteArithmetic, (c: Inference<ByteArithmeticParameters>) => c.attributes),
});
