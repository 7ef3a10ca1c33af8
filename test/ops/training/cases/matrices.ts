import { float, tensor } from '../../../../src/builder/index.js';
import { i64 } from '../../../values.js';
import { type Case, POSITIVE } from './case.js';

const f32 = 'float32';

export const matrices: readonly Case[] = [
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
  ...['ij,jk->ki', 'ii->i', 'ij->i', 'ij,ij->', 'i,j->ij', '...ij,...jk->...ik', 'iij->j', 'ij,jk,k'].map(
    (equation): Case => {
      const sizes: Record<string, number> = { i: 2, j: 3, k: 2 };
      const terms = (equation.split('->')[0] as string).split(',');
      const dims = terms.map((term) => [...term.replace('...', 'k')].map((label) => sizes[label] as number));
      return { op: 'Einsum', dims, attributes: { equation } };
    },
  ),
  { op: 'Det', dims: [[2, 3, 3]] },
  { op: 'Det', dims: [[3, 3]], values: [[1, 2, 3, 2, 4, 6, 1, 0, 1]] },
  { op: 'GroupNormalization', dims: [[2, 6, 3], [6], [6]], attributes: { num_groups: 3 } },
  { op: 'GroupNormalization', dims: [[2, 6, 2, 2], [3], [3]], attributes: { num_groups: 3 }, opset: 18 },
  ...[1, 2].map((p): Case => ({ op: 'LpNormalization', dims: [[2, 3, 2]], attributes: { p, axis: 1 } })),
  { op: 'MeanVarianceNormalization', dims: [[2, 3, 2, 2]] },
  ...[3, 4].map(
    (size): Case => ({ op: 'LRN', dims: [[2, 5, 2, 2]], attributes: { size, alpha: 0.9, beta: 0.6, bias: 1.3 } }),
  ),
  {
    op: 'RotaryEmbedding',
    dims: [
      [1, 2, 3, 4],
      [3, 2],
      [3, 2],
    ],
    rest: [i64([1, 3], [0, 1, 2])],
    opset: 23,
    element: f32,
  },
  {
    op: 'RotaryEmbedding',
    dims: [
      [1, 3, 8],
      [1, 3, 1],
      [1, 3, 1],
    ],
    attributes: { num_heads: 2, interleaved: 1, rotary_embedding_dim: 2 },
    opset: 23,
    element: f32,
  },
  {
    op: 'Attention',
    dims: [
      [1, 2, 3, 4],
      [1, 2, 3, 4],
      [1, 2, 3, 2],
    ],
    opset: 23,
  },
  {
    op: 'Attention',
    dims: [
      [1, 4, 3, 4],
      [1, 2, 3, 4],
      [1, 2, 3, 2],
      [3, 3],
    ],
    opset: 23,
    attributes: { softcap: 1.5, scale: 0.7 },
  },
  {
    op: 'Attention',
    dims: [
      [2, 3, 8],
      [2, 4, 4],
      [2, 4, 4],
    ],
    attributes: { q_num_heads: 4, kv_num_heads: 2, is_causal: 1 },
    opset: 23,
    element: f32,
  },
  {
    op: 'Attention',
    dims: [
      [1, 2, 2, 4],
      [1, 2, 2, 4],
      [1, 2, 2, 2],
    ],
    rest: [null, { variable: [1, 2, 3, 4] }, { variable: [1, 2, 3, 2] }],
    attributes: { is_causal: 1, qk_matmul_output_mode: 1 },
    outputs: 4,
    opset: 23,
  },
  {
    op: 'Attention',
    dims: [
      [2, 1, 2, 2],
      [2, 1, 4, 2],
      [2, 1, 4, 2],
    ],
    rest: [null, null, null, [4, 2]],
    opset: 24,
  },
  {
    op: 'Attention',
    dims: [
      [1, 1, 2, 2],
      [1, 1, 3, 2],
      [1, 1, 3, 2],
    ],
    rest: [null, { variable: [1, 1, 2, 2] }, { variable: [1, 1, 2, 2] }],
    attributes: { is_causal: 1, left_window_size: 1 },
    opset: 25,
  },
  {
    op: 'Attention',
    dims: [
      [2, 1, 2, 2],
      [2, 1, 4, 2],
      [2, 1, 4, 2],
    ],
    rest: [null, null, null, [4, 2]],
    attributes: { left_window_size: 1, right_window_size: 0 },
    opset: 25,
  },
  ...['none', 'sum', 'mean'].flatMap((reduction): Case[] => [
    { op: 'NegativeLogLikelihoodLoss', dims: [[3, 4]], rest: [i64([3], [1, 3, 0])], attributes: { reduction } },
    {
      op: 'NegativeLogLikelihoodLoss',
      dims: [[2, 3, 2]],
      rest: [i64([2, 2], [1, 2, 0, 2]), { variable: [3] }],
      attributes: { reduction, ignore_index: 2 },
      range: POSITIVE,
    },
    {
      op: 'SoftmaxCrossEntropyLoss',
      dims: [[3, 4]],
      rest: [i64([3], [1, 3, 0]), { variable: [4] }],
      attributes: { reduction },
      outputs: 2,
      range: POSITIVE,
    },
  ]),
  { op: 'LayerNormalization', dims: [[2, 3, 4], [4]], element: f32, outputs: 3 },
  { op: 'DequantizeLinear', dims: [], rest: [tensor('int8', [3], [1, -2, 3]), { variable: [] }], element: f32 },
  { op: 'AffineGrid', dims: [[2, 2, 3]], rest: [[2, 1, 3, 4]], attributes: { align_corners: 1 } },
  { op: 'DynamicQuantizeLinear', dims: [[2, 3]], element: f32, outputs: 3, checked: [1] },
  {
    op: 'Attention',
    dims: [
      [1, 2, 2, 2],
      [1, 2, 3, 2],
      [1, 2, 3, 2],
    ],
    rest: [tensor('bool', [2, 2], [1, 0, 1, 1])],
    opset: 23,
  },
  ...[2, 3].map(
    (qk_matmul_output_mode): Case => ({
      op: 'Attention',
      dims: [
        [1, 2, 2, 2],
        [1, 2, 3, 2],
        [1, 2, 3, 2],
      ],
      rest: [{ variable: [2, 3] }],
      attributes: { qk_matmul_output_mode, softcap: float(2) },
      outputs: 4,
      opset: 23,
    }),
  ),
];
