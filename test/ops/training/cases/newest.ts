import type { Case } from './case.js';

const element = 'float32';
/** Offsets that differences do not carry over a pixel, where the derivative changes. */
const BETWEEN_PIXELS = [0.1, 0.9] as const;
const offsets = (taps: number, places: number) => ({ variable: [1, 2 * taps, places, 2] });

/** LinearAttention of 2 query heads that share a state of 3 keys by 2 values, 3 steps. */
const linear = (update_rule: string, decay?: number, beta?: number): Case => ({
  op: 'LinearAttention',
  dims: [
    [1, 3, 6],
    [1, 3, 3],
    [1, 3, 2],
  ],
  rest: [
    { variable: [1, 1, 3, 2] },
    decay ? { variable: [1, 3, decay] } : null,
    ...(beta ? [{ variable: [1, 3, beta] }] : []),
  ],
  attributes: { q_num_heads: 2, kv_num_heads: 1, update_rule },
  outputs: 2,
  element,
  opset: 27,
});

export const newest: readonly Case[] = [
  ...['none', 'silu'].map(
    (activation): Case => ({
      op: 'CausalConvWithState',
      dims: [[1, 2, 4], [2, 1, 3], [2], [1, 2, 2]],
      attributes: { activation },
      outputs: 2,
      element,
      opset: 27,
    }),
  ),
  {
    op: 'CausalConvWithState',
    dims: [
      [1, 2, 4],
      [2, 1, 3],
    ],
    outputs: 2,
    element,
    opset: 27,
  },
  linear('linear'),
  linear('gated', 1),
  linear('delta', 0, 1),
  linear('gated_delta', 3, 1),
  {
    op: 'DeformConv',
    dims: [[1, 4, 4, 3], [2, 2, 2, 2], [1, 16, 3, 2], [2], [1, 8, 3, 2]],
    attributes: { group: 2, offset_group: 2 },
    range: BETWEEN_PIXELS,
    element,
    opset: 22,
  },
  {
    op: 'DeformConv',
    dims: [
      [1, 1, 4, 3],
      [2, 1, 2, 2],
    ],
    rest: [offsets(4, 2)],
    attributes: { strides: [2, 1], pads: [1, 0, 0, 1], dilations: [2, 2] },
    range: BETWEEN_PIXELS,
    element,
    opset: 22,
  },
  {
    op: 'ai.onnx.preview:FlexAttention',
    dims: [
      [1, 4, 2, 2],
      [1, 2, 3, 2],
      [1, 2, 3, 2],
    ],
  },
];
