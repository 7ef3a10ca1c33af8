import { GridMode, GridPadding } from '../../../../build/quantized-kernels.js';
import { isSame } from '../../../graph/guards.js';
import { add, ceilDivide, multiply, product, type Size } from '../../../graph/sizes.js';
import { gridSampling } from '../../../primitives/grid-sample.js';
import type { Sampling } from '../../../primitives/grid-taps.js';
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
  const batch = x[0] as Size;
  const [depth, height, width] = [1, 1, ...x.slice(1, -1)].slice(-3) as [Size, Size, Size];
  const channels = x.at(-1) as Size;
  const points = product(grid.slice(1, -1));
  const count = isSame(product(c.outputShape(0)), 0) ? 0 : multiply(batch, points);
  const rank = x.length - 2;
  const tilePoints = grainOf(count, add(32, multiply(channels, KERNEL_MODES[mode] ** rank)));
  const params = {
    x: c.input(0),
    grid: c.input(1),
    y: c.output(0),
    batch,
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
  c.launch('gridSample', params, ceilDivide(count, tilePoints), { writes: [c.output(0)] });
}

export const gridSamples = lowers(gridSampling, lowerSampling);
