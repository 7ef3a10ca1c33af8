import { type AttributeInputs, float, floats, tensor } from '../../../../src/builder/index.js';
import { i64 } from '../../../values.js';
import type { Case } from './case.js';

const _f32 = 'float32';
const scales = (...values: number[]) => tensor('float32', [values.length], values);

const resize = (attributes: AttributeInputs, ...rest: NonNullable<Case['rest']>): Case => ({
  op: 'Resize',
  dims: [[1, 2, 4, 5]],
  rest,
  attributes,
  opset: 19,
});

const grid = (
  attributes: AttributeInputs,
  dims: Case['dims'] = [
    [2, 2, 4, 5],
    [2, 3, 2, 2],
  ],
  opset = 20,
): Case => ({
  op: 'GridSample',
  dims,
  step: 2 ** -12,
  attributes,
  range: [-1.3, 1.3],
  opset,
});

const regions = tensor('float64', [2, 4], [0.4, 0.6, 3.1, 2.9, 1.2, 0.3, 4.5, 3.7]);

export const sampling: readonly Case[] = [
  resize({}, null, scales(1, 1, 2, 0.6)),
  resize({ mode: 'linear' }, null, scales(1, 1, 0.6, 1.7)),
  resize({ mode: 'linear', coordinate_transformation_mode: 'align_corners' }, null, null, i64([4], [1, 2, 7, 3])),
  resize({ mode: 'linear', antialias: 1 }, null, scales(1, 1, 0.5, 0.4)),
  resize({ mode: 'cubic', exclude_outside: 1, axes: [3, 2] }, null, scales(1.5, 2)),
  resize(
    { mode: 'linear', coordinate_transformation_mode: 'tf_crop_and_resize', extrapolation_value: float(3) },
    tensor('float64', [8], [0, 0, 0.2, -0.3, 1, 1, 0.9, 1.2]),
    null,
    i64([4], [1, 2, 3, 6]),
  ),
  { op: 'Resize', dims: [[1, 1, 3, 2]], rest: [scales(1, 1, 2, 2)], attributes: { mode: 'linear' }, opset: 10 },
  { op: 'Upsample', dims: [[1, 1, 3, 2]], rest: [scales(1, 1, 2, 3)], attributes: { mode: 'nearest' }, opset: 9 },
  { op: 'Upsample', dims: [[1, 1, 3, 2]], attributes: { mode: 'linear', scales: floats([1, 1, 2, 2]) }, opset: 7 },
  ...['zeros', 'border', 'reflection'].flatMap((padding_mode) => [
    grid({ padding_mode, mode: 'linear' }),
    grid({ padding_mode, mode: 'linear', align_corners: 1 }),
    grid({ padding_mode, mode: 'cubic' }),
  ]),
  grid({ mode: 'nearest' }),
  grid({ mode: 'linear' }, [
    [1, 2, 3, 2, 3],
    [1, 2, 2, 1, 3],
  ]),
  {
    op: 'RoiAlign',
    dims: [[2, 2, 4, 5]],
    rest: [regions, i64([2], [1, 0])],
    attributes: { output_height: 2, output_width: 3, sampling_ratio: 2 },
  },
  {
    op: 'RoiAlign',
    dims: [[2, 1, 4, 5]],
    rest: [regions, i64([2], [1, 0])],
    attributes: { mode: 'max', output_height: 2, output_width: 2 },
  },
  {
    op: 'MaxRoiPool',
    dims: [[2, 2, 4, 5]],
    rest: [tensor('float64', [2, 5], [1, 0, 1, 3, 3, 0, 1, 0, 4, 2])],
    attributes: { pooled_shape: [2, 2] },
    element: 'float64',
  },
];
