import { byteMaxPool } from '../../../primitives/byte-max-pool.js';
import type { KnownWindow } from '../../../primitives/window.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import { type Lowering, lowers } from '../lowering.js';
import { grainOf } from './grain.js';
import { planeFields } from './window-fields.js';

function lowerPool(c: Lowering, windows: readonly KnownWindow[]): 'host' | undefined {
  if (windows.length > 2) return 'host';
  const dims = c.shape(0);
  const channels = dims.at(-1) as number;
  const pixels = elementCount(c.outputShape(0)) / Math.max(channels, 1);
  const plane = planeFields(windows);
  const tilePixels = grainOf(pixels, (channels * plane.kernelHeight * plane.kernelWidth) / 16);
  const [x, y] = [c.input(0), c.output(0)];
  const own = { x, y, signed: Number(c.element(0) === 'int8'), batch: dims[0] as number, channels, tilePixels };
  c.launch('byteMaxPool', { ...plane, ...own }, Math.ceil(pixels / tilePixels), { writes: [y] });
  return undefined;
}

export const byteMaxPools = lowers(byteMaxPool, lowerPool);
