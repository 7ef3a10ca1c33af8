import { type AttributeInputs, float } from '../../../../src/builder/index.js';
import { type Case, POSITIVE } from './case.js';

const unary = (op: string, range?: readonly [number, number], attributes?: AttributeInputs): Case => ({
  op,
  dims: [[3, 4]],
  ...(range && { range }),
  ...(attributes && { attributes }),
});

export const elementwise: readonly Case[] = [
  ...['Abs', 'Atan', 'Asinh', 'Cos', 'Cosh', 'Erf', 'Exp', 'Neg', 'Sigmoid', 'Sin', 'Sinh'].map((op) => unary(op)),
  ...['Softplus', 'Softsign', 'Tan', 'Tanh', 'Relu', 'Mish', 'Identity', 'Floor', 'Sign'].map((op) => unary(op)),
  ...['Acos', 'Asin', 'Atanh'].map((op) => unary(op, [-0.9, 0.9])),
  ...['Log', 'Sqrt', 'Reciprocal'].map((op) => unary(op, POSITIVE)),
  unary('Acosh', [1.2, 3]),
  unary('LeakyRelu', undefined, { alpha: 0.2 }),
  unary('Elu', undefined, { alpha: 0.7 }),
  unary('Celu', undefined, { alpha: 0.7 }),
  unary('Selu'),
  unary('ThresholdedRelu', undefined, { alpha: 0.5 }),
  unary('HardSigmoid', [-4, 4]),
  unary('HardSwish', [-5, 5]),
  unary('Gelu'),
  unary('Gelu', undefined, { approximate: 'tanh' }),
  { ...unary('Swish', undefined, { alpha: 1.3 }), opset: 24 },
  ...['Add', 'Sub', 'Mul', 'Div', 'Max', 'Min'].map(
    (op): Case => ({
      op,
      dims: [
        [2, 3, 4],
        [3, 1],
      ],
      range: POSITIVE,
    }),
  ),
  ...['Sum', 'Mean', 'Max'].map((op): Case => ({ op, dims: [[2, 3], [3], [1, 1]] })),
  { op: 'Pow', dims: [[2, 3], [3]], range: POSITIVE },
  { op: 'Pow', dims: [[2, 3]], rest: [2] },
  {
    op: 'PRelu',
    dims: [
      [2, 3, 2],
      [3, 1],
    ],
  },
  { op: 'Clip', dims: [[4, 5]], rest: [-0.4, 0.6] },
  { op: 'Clip', dims: [[4, 5]], rest: [null, 0.6] },
  unary('Shrink', undefined, { bias: 0.1, lambd: 0.3 }),
  { op: 'Mod', dims: [[2, 3], [3]], range: [0.5, 4], attributes: { fmod: 1 } },
  ...['Ceil', 'Round', 'Hardmax'].map((op) => unary(op)),
  { op: 'Bernoulli', dims: [[3]], range: [0.2, 0.8], attributes: { seed: float(4) } },
  ...['RandomNormalLike', 'RandomUniformLike'].map((op) => unary(op, undefined, { seed: float(4) })),
  { op: 'EyeLike', dims: [[2, 3]] },
  ...[1, 0.6].map(
    (alpha): Case => ({
      op: 'SwiGLU',
      dims: [
        [3, 4],
        [3, 4],
      ],
      attributes: { alpha: float(alpha) },
      opset: 28,
    }),
  ),
];
