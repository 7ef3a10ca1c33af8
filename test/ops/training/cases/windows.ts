import { type Case, POSITIVE } from './case.js';

const f32 = 'float32';
const WINDOW = { kernel_shape: [3, 2], strides: [2, 1], pads: [1, 0, 0, 1] };

export const windows: readonly Case[] = [
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
  {
    op: 'ConvTranspose',
    dims: [
      [1, 2, 3, 4],
      [2, 3, 3, 2],
    ],
    attributes: { strides: [2, 2], output_shape: [6, 7] },
    element: f32,
  },
  {
    op: 'ConvTranspose',
    dims: [
      [1, 2, 3],
      [2, 1, 3],
    ],
    attributes: { strides: [2], auto_pad: 'SAME_LOWER' },
  },
  {
    op: 'Conv',
    dims: [
      [1, 2, 3, 4, 3],
      [2, 2, 2, 2, 2],
    ],
  },
  { op: 'MaxPool', dims: [[1, 2, 7, 5]], attributes: { ...WINDOW, dilations: [2, 1], ceil_mode: 1 }, range: [-20, 20] },
  {
    op: 'MaxPool',
    dims: [[1, 2, 7]],
    attributes: { kernel_shape: [3], auto_pad: 'SAME_UPPER' },
    outputs: 2,
    checked: [0],
  },
  { op: 'AveragePool', dims: [[1, 1, 3, 4, 3]], attributes: { kernel_shape: [2, 2, 2], dilations: [1, 2, 1] } },
  ...[1, 2, 3].map(
    (p): Case => ({ op: 'LpPool', dims: [[2, 2, 5, 4]], attributes: { ...WINDOW, p }, range: POSITIVE }),
  ),
  { op: 'LpPool', dims: [[1, 2, 5]], attributes: { kernel_shape: [2], p: 3 } },
  { op: 'GlobalMaxPool', dims: [[2, 3, 2, 2]] },
  ...[1, 2, 3].map((p): Case => ({ op: 'GlobalLpPool', dims: [[2, 3, 2, 2]], attributes: { p } })),
];
