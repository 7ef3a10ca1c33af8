import type { Value } from '../../graph/graph.js';
import type { ByteArithmeticParameters } from '../../primitives/byte-arithmetic.js';
import { type Decomposition, defineOp } from '../../schema/definition.js';
import { broadcastInputs, like } from '../../schema/shapes.js';
import { arithmeticOn, castTo } from '../emit.js';
import { emitByteArithmetic } from '../emit-bytes.js';
import {
  BYTES,
  distances,
  type KnownLevels,
  knownLevels,
  type Levels,
  levelsAt,
  requireOneLevel,
  roundedFrom,
} from './quantized-operands.js';

const [A, A_SCALE, B, B_SCALE, C_SCALE] = [0, 1, 3, 4, 6];

type Steps = (c: Decomposition<unknown>, a: Levels, b: Levels, result: Levels) => Value;

/** The sum with its zero point. Adds in onnxruntime's order: terms that do not depend on A and B first. */
const sum: Steps = (c, a, b, { scale, zeroPoint }) => {
  const f = arithmeticOn(c, 'float32');
  const [ofA, ofB] = [f('Div', a.scale, scale), f('Div', b.scale, scale)];
  const zeros = f('Add', f('Mul', ofA, a.zeroPoint ?? 0), f('Mul', ofB, b.zeroPoint ?? 0));
  const first = f('Add', f('Sub', zeroPoint ?? 0, zeros), f('Mul', castTo(c, c.input(A), 'float32'), ofA));
  return f('Add', first, f('Mul', castTo(c, c.input(B), 'float32'), ofB));
};

const product: Steps = (c, a, b, { scale, zeroPoint }) => {
  const f = arithmeticOn(c, 'float32');
  const integers = f('Mul', distances(c, c.input(A), a), distances(c, c.input(B), b));
  const steps = f('Mul', integers, f('Div', f('Mul', a.scale, b.scale), scale));
  return zeroPoint ? f('Add', steps, zeroPoint) : steps;
};

const { fround } = Math;

/** Kernel parameters, if all scales and zero points are constant. */
type Known = (a: KnownLevels, b: KnownLevels, result: KnownLevels) => Partial<ByteArithmeticParameters>;

const knownSum: Known = (a, b, { scale, zero }) => {
  const [ofA, ofB] = [a, b].map((own) => fround(own.scale / scale)) as [number, number];
  const zeros = fround(fround(ofA * a.zero) + fround(ofB * b.zero));
  return { operation: 'Sum', a_scale: ofA, b_scale: ofB, offset: fround(zero - zeros) };
};

const knownProduct: Known = (a, b, { scale, zero }) => ({
  operation: 'Product',
  ...{ a_zero: a.zero, b_zero: b.zero, factor: fround(fround(a.scale * b.scale) / scale), offset: zero },
});

const binary = (name: string, steps: Steps, known: Known) =>
  defineOp({
    domain: 'com.microsoft',
    name,
    signature:
      'A: T, A_scale: float32, A_zero_point?: T, B: T, B_scale: float32, B_zero_point?: T, C_scale: float32, C_zero_point?: T -> C: T',
    types: { T: BYTES },
    infer(c) {
      requireOneLevel(c, A_SCALE, B_SCALE, C_SCALE);
      return [like(c, A, broadcastInputs(c, [A, B]))];
    },
    decompose(c) {
      const levels = [A_SCALE, B_SCALE, C_SCALE].map((i) => knownLevels(c, i));
      if (levels.every((own) => own !== undefined)) {
        const parameters = known(...(levels as [KnownLevels, KnownLevels, KnownLevels]));
        return [emitByteArithmetic(c, c.input(A), c.input(B), c.element(A), parameters)];
      }
      const [a, b, result] = [levelsAt(c, A_SCALE), levelsAt(c, B_SCALE), levelsAt(c, C_SCALE)];
      return [roundedFrom(c, steps(c, a, b, result), null, c.element(A))];
    },
  });

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.QLinearAdd */
export const qLinearAdd = binary('QLinearAdd', sum, knownSum);
/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.QLinearMul */
export const qLinearMul = binary('QLinearMul', product, knownProduct);
