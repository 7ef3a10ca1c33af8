import { suite } from 'uvu';
import { type AttributeInputs, type ModelBuilder, tensor } from '../../../src/builder/index.js';
import type { Value } from '../../../src/graph/graph.js';
import type { ElementType } from '../../../src/tensor/element-types.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { randomly } from '../../session/run-model.js';
import { expectDerivatives, type Variables } from './expect-derivatives.js';

const test = suite('Gradient against differences');

interface Case {
  readonly op: string;
  readonly dims: readonly (readonly number[])[];
  /** Range of the inputs. */
  readonly range?: readonly [number, number];
  readonly attributes?: AttributeInputs;
  /** Further inputs that are constants; a number is a scalar of the element type, a list int64. */
  readonly rest?: readonly (readonly number[] | number | TensorValue | null)[];
  readonly outputs?: number;
  readonly element?: ElementType;
  readonly opset?: number;
}

const f32 = 'float32';
const POSITIVE = [0.3, 2] as const;
const unary = (op: string, range?: readonly [number, number], attributes?: AttributeInputs): Case => ({
  op,
  dims: [[3, 4]],
  ...(range && { range }),
  ...(attributes && { attributes }),
});
const reduction = (op: string): Case[] => [
  { op, dims: [[2, 3, 4]], rest: [[-1, 0]], attributes: { keepdims: 0 }, range: POSITIVE },
  { op, dims: [[2, 3]], rest: [], range: POSITIVE },
  { op, dims: [[2, 3, 2]], attributes: { axes: [1], keepdims: 1 }, range: POSITIVE, opset: 11 },
];
const i64 = (dims: readonly number[], values: readonly number[]) => tensor('int64', dims, values);
const WINDOW = { kernel_shape: [3, 2], strides: [2, 1], pads: [1, 0, 0, 1] };

const cases: readonly Case[] = [
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
  ...[1, 0.6].map(
    (alpha): Case => ({
      op: 'SwiGLU',
      dims: [
        [3, 4],
        [3, 4],
      ],
      attributes: { alpha: { type: 'float', value: alpha } },
      opset: 28,
    }),
  ),
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
  {
    op: 'MatMul',
    dims: [
      [2, 1, 3, 4],
      [5, 4, 2],
    ],
  },
  { op: 'MatMul', dims: [[4], [4, 3]] },
  { op: 'MatMul', dims: [[2, 3, 4], [4]] },
  ...[0, 1, 2, 3].map((turns): Case => {
    const [transA, transB] = [turns & 1, turns >> 1];
    const dims = [transA ? [3, 2] : [2, 3], transB ? [4, 3] : [3, 4], [1, 4]];
    return { op: 'Gemm', dims, attributes: { alpha: 0.5, beta: 2.5, transA, transB } };
  }),
  {
    op: 'Einsum',
    dims: [
      [2, 3],
      [3, 4],
    ],
    attributes: { equation: 'ij,jk->ki' },
    element: f32,
  },
  ...['Sum', 'Mean', 'Max', 'Min', 'Prod', 'SumSquare', 'L1', 'L2', 'LogSum', 'LogSumExp'].flatMap((kind) =>
    reduction(`Reduce${kind}`).map((one) => (one.rest && !['Sum'].includes(kind) ? { ...one, opset: 18 } : one)),
  ),
  { op: 'Softmax', dims: [[2, 3, 4]], attributes: { axis: 1 } },
  { op: 'Softmax', dims: [[2, 3, 4]], attributes: { axis: 1 }, opset: 11 },
  { op: 'LogSoftmax', dims: [[2, 3]] },
  { op: 'CumSum', dims: [[2, 4]], rest: [i64([], [1])], attributes: { exclusive: 1 } },
  { op: 'Reshape', dims: [[2, 6]], rest: [[3, -1]] },
  { op: 'Flatten', dims: [[2, 3, 2]] },
  { op: 'Transpose', dims: [[2, 3, 4]], attributes: { perm: [2, 0, 1] } },
  { op: 'Transpose', dims: [[2, 3, 4]] },
  { op: 'Squeeze', dims: [[2, 1, 3]], rest: [[1]] },
  { op: 'Unsqueeze', dims: [[2, 3]], rest: [[0, -1]] },
  { op: 'Expand', dims: [[3, 1]], rest: [[2, 3, 4]] },
  { op: 'Tile', dims: [[2, 3]], rest: [[2, 2]] },
  {
    op: 'Concat',
    dims: [
      [2, 3],
      [2, 1],
      [2, 2],
    ],
    attributes: { axis: -1 },
  },
  { op: 'Split', dims: [[2, 5]], rest: [[2, 3]], attributes: { axis: 1 }, outputs: 2 },
  {
    op: 'Slice',
    dims: [[5, 6]],
    rest: [
      [4, 1],
      [-6, 6],
      [0, 1],
      [-2, 3],
    ],
  },
  { op: 'Gather', dims: [[4, 3]], rest: [i64([2, 2], [1, -1, 1, 0])] },
  { op: 'Gather', dims: [[4, 3]], rest: [i64([2], [2, 2])], attributes: { axis: 1 } },
  { op: 'GatherElements', dims: [[3, 2]], rest: [i64([2, 2], [1, 2, 1, 0])] },
  { op: 'GatherND', dims: [[3, 2, 2]], rest: [i64([2, 2], [1, 0, 1, 0])] },
  { op: 'ScatterElements', dims: [[3, 2]], rest: [i64([1, 2], [1, 2]), tensor('float64', [1, 2], [3, 4])] },
  { op: 'Pad', dims: [[2, 3]], rest: [[1, -1, 0, 2]] },
  { op: 'Pad', dims: [[3, 3]], rest: [[1, 1, 0, 2]], attributes: { mode: 'reflect' } },
  { op: 'DepthToSpace', dims: [[1, 4, 2, 2]], attributes: { blocksize: 2 } },
  { op: 'Trilu', dims: [[3, 4]], rest: [i64([], [1])] },
  { op: 'TopK', dims: [[3, 4]], rest: [[2]] },
  { op: 'Conv', dims: [[2, 4, 5, 6], [6, 4, 3, 2], [6]], attributes: { ...WINDOW, dilations: [1, 2] }, element: f32 },
  {
    op: 'Conv',
    dims: [[2, 4, 7, 6], [6, 2, 3, 3], [6]],
    attributes: { group: 2, auto_pad: 'SAME_UPPER', strides: [2, 2] },
    element: f32,
  },
  {
    op: 'Conv',
    dims: [
      [1, 3, 5],
      [3, 1, 3],
    ],
    attributes: { group: 3 },
    element: f32,
  },
  {
    op: 'ConvTranspose',
    dims: [[2, 4, 3, 4], [4, 3, 3, 2], [3]],
    attributes: { ...WINDOW, output_padding: [1, 0] },
    element: f32,
  },
  { op: 'MaxPool', dims: [[2, 2, 5, 4]], attributes: WINDOW, element: f32, range: [-20, 20] },
  { op: 'AveragePool', dims: [[2, 2, 5, 4]], attributes: WINDOW, element: f32 },
  {
    op: 'AveragePool',
    dims: [[1, 2, 6, 4]],
    attributes: { ...WINDOW, count_include_pad: 1, ceil_mode: 1 },
    element: f32,
  },
  { op: 'GlobalAveragePool', dims: [[2, 3, 2, 2]], element: f32 },
  { op: 'LayerNormalization', dims: [[2, 3, 4], [3, 4], [4]], attributes: { axis: 1 } },
  { op: 'RMSNormalization', dims: [[3, 4], [4]], opset: 23 },
  { op: 'InstanceNormalization', dims: [[2, 3, 4], [3], [3]] },
  { op: 'BatchNormalization', dims: [[2, 3, 4], [3], [3], [3], [3]], range: POSITIVE },
  {
    op: 'BatchNormalization',
    dims: [[2, 3, 4], [3], [3], [3], [3]],
    range: POSITIVE,
    attributes: { training_mode: 1 },
  },
];

for (const [n, one] of cases.entries()) {
  const { op, dims, range = [-1, 1], attributes = {}, rest = [], outputs = 1, element = 'float64', opset = 21 } = one;
  test(`${n} ${op} ${JSON.stringify(dims)}`, async () => {
    const next = randomly(n + 1);
    const draw = (d: readonly number[]) => {
      const count = d.reduce((a, b) => a * b, 1);
      return tensor(
        element,
        d,
        Array.from({ length: count }, () => range[0] + (range[1] - range[0]) * next()),
      );
    };
    const variables: Variables = Object.fromEntries(dims.map((d, i) => [`x${i}`, draw(d)]));
    const constantOf = (b: ModelBuilder, value: (typeof rest)[number], i: number): Value | null => {
      if (value === null) return null;
      if (typeof value === 'number') return b.constant(`c${i}`, tensor(element, [], [value]));
      return b.constant(`c${i}`, 'type' in value ? value : tensor('int64', [value.length], value));
    };
    await expectDerivatives(variables, opset, (b, inputs) => {
      const all = [...inputs, ...rest.map((value, i) => constantOf(b, value, i))];
      return b.node(op, all, attributes, { outputs: op === 'TopK' ? 2 : outputs }).slice(0, outputs);
    });
  });
}

test.run();
