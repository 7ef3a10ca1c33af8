import { GatherElements } from '../../../../build/kernels.js';
import type { Along } from '../../../primitives/along.js';
import { gatherElements, walkStrides } from '../../../primitives/gather-elements.js';
import { outsideOf } from '../../../schema/positions.js';
import { ELEMENTS } from '../../../tensor/element-types.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import { type Lowering, lowers } from '../lowering.js';

function lowerGatherElements(c: Lowering, { axis }: Along): 'host' | undefined {
  const elementBytes = ELEMENTS[c.element(0)].bits / 8;
  const [data, space] = [c.shape(0), c.shape(1)];
  const count = elementCount(space);
  if (![1, 2, 4, 8].includes(elementBytes) || (count > 0 && elementCount(data) === 0)) return 'host';
  const { axisStride, strides } = walkStrides(c, axis, data, space);
  const params = {
    x: c.input(0),
    indices: c.input(1),
    y: c.output(0),
    flag: c.guard(1, outsideOf({ dims: [data[axis] as number], axis })),
    table: c.table(Int32Array.from([...space, ...strides])),
    rank: space.length,
    count,
    elementBytes,
    indexBytes: ELEMENTS[c.element(1)].bits / 8,
    axisDim: data[axis] as number,
    axisStride,
  };
  c.launch('gatherElements', params, Math.ceil(count / GatherElements.TILE), { writes: [c.output(0)] });
}

export const elementGathers = lowers(gatherElements, lowerGatherElements);
