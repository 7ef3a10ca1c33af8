import { GridMode, GridPadding } from '../../../../build/quantized-kernels.js';
import { gridSampling } from '../../../primitives/grid-sample.js';
import type { Sampling } from '../../../primitives/grid-taps.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import { type Lowering, lowers } from '../lowering.js';
import { grainOf } from './grain.js';

const KERNEL_MODES = { nearest: GridMode.Nearest, linear: GridMode.Linear, cubic: GridMode.Cubic } as const;
const KERNEL_PADDINGS = {
  zeros: GridPadding.Zeros,
  border: GridPadding.Border,
  reflection: GridPadding.Reflection,
} as const;

function lowerSampling(c: Lowering, { mode, padding, alignCorners }: Sampling): undefined {
  const [x, grid] = [c.shape(0), c.shape(1)];
  const [depth, height, width] = [1, 1, ...x.slice(1, -1)].slice(-3) as [number, number, number];
  const channels = x.at(-1) as number;
  const points = elementCount(grid.slice(1, -1));
  const count = elementCount(c.outputShape(0)) && (x[0] as number) * points;
  const rank = x.length - 2;
  const tilePoints = grainOf(count, 32 + channels * KERNEL_MODES[mode] ** rank);
  const params = {
    x: c.input(0),
    grid: c.input(1),
    y: c.output(0),
    batch: x[0] as number,
    depth,
    height,
    width,
    channels,
    rank,
    points,
    mode: KERNEL_MODES[mode],
    padding: KERNEL_PADDINGS[padding],
    alignCorners: Number(alignCorners),
    tilePoints,
  };
  c.launch('gridSample', params, Math.ceil(count / tilePoints), { writes: [c.output(0)] });
}

export const gridSamples = lowers(gridSampling, lowerSampling);
