import { fixed } from '../../../graph/guards.js';
import { ceilDivide, product, type Size } from '../../../graph/sizes.js';
import { byteMaxPool } from '../../../primitives/byte-max-pool.js';
import type { AxisWindow } from '../../../primitives/window.js';
import { type Lowering, lowers } from '../lowering.js';
import { grainOf } from './grain.js';
import { planeFields } from './window-fields.js';

function lowerPool(c: Lowering, windows: readonly AxisWindow[]): 'host' | undefined {
  if (windows.length > 2) return 'host';
  const dims = c.shape(0);
  const channels = fixed(dims.at(-1) as Size);
  const pixels = channels === 0 ? 0 : product(c.outputShape(0).slice(0, -1));
  const plane = planeFields(windows);
  const tilePixels = grainOf(pixels, (channels * plane.kernelHeight * plane.kernelWidth) / 16);
  const [x, y] = [c.input(0), c.output(0)];
  const own = { x, y, signed: Number(c.element(0) === 'int8'), batch: dims[0] as Size, channels, tilePixels };
  c.launch('byteMaxPool', { ...plane, ...own }, ceilDivide(pixels, tilePixels), { writes: [y] });
  return undefined;
}

export const byteMaxPools = lowers(byteMaxPool, lowerPool);
