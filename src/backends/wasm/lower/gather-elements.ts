import { GatherElements } from '../../../../build/kernels.js';
import { isSame } from '../../../graph/guards.js';
import { ceilDivide, product, type Size } from '../../../graph/sizes.js';
import type { Along } from '../../../primitives/along.js';
import { gatherElements, walkStrides } from '../../../primitives/gather-elements.js';
import { outsideOf } from '../../../schema/positions.js';
import { ELEMENTS } from '../../../tensor/element-types.js';
import { type Lowering, lowers } from '../lowering.js';

function lowerGatherElements(c: Lowering, { axis }: Along): 'host' | undefined {
  const elementBytes = ELEMENTS[c.element(0)].bits / 8;
  const [data, space] = [c.shape(0), c.shape(1)];
  const length = data[axis] as Size;
  const count = product(space);
  if (![1, 2, 4, 8].includes(elementBytes) || (!isSame(count, 0) && isSame(product(data), 0))) return 'host';
  const { axisStride, strides } = walkStrides(c, axis, data, space);
  const params = {
    x: c.input(0),
    indices: c.input(1),
    y: c.output(0),
    flag: c.guard(1, (indices, sizes) => outsideOf({ dims: sizes, axis })(indices), [length]),
    table: c.table([...space, ...strides]),
    rank: space.length,
    count,
    elementBytes,
    indexBytes: ELEMENTS[c.element(1)].bits / 8,
    axisDim: length,
    axisStride,
  };
  c.launch('gatherElements', params, ceilDivide(count, GatherElements.TILE), { writes: [c.output(0)] });
}

export const elementGathers = lowers(gatherElements, lowerGatherElements);
