import type { Pointer } from '../../../../bindings/place.js';
import { DynamicQuantization } from '../../../../build/quantized-kernels.js';
import { dynamicQuantization } from '../../../primitives/dynamic-quantization.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import { type Lowering, lowers } from '../lowering.js';

function lowerQuantization(c: Lowering): undefined {
  const count = elementCount(c.shape(0));
  const tiles = Math.ceil(count / DynamicQuantization.Tile);
  const [x, ranges] = [c.input(0), c.temporary(8 * tiles)];
  const wanted = [0, 1, 2].filter((i) => c.wanted(i));
  const [y, scale, zero] = [0, 1, 2].map((i) => (c.wanted(i) ? c.output(i) : 0)) as [Pointer, Pointer, Pointer];
  if (tiles > 0) c.launch('byteRange', { x, ranges, count }, tiles, { writes: [ranges] });
  c.launch('dynamicBytes', { x, ranges, tiles, y, scale, zero, count }, Math.max(tiles, 1), {
    writes: wanted.map((i) => c.output(i)),
  });
}

export const dynamicQuantizations = lowers(dynamicQuantization, lowerQuantization);
