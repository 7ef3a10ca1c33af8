import { viewAbout } from '../../../graph/dims.js';
import { ceilDivide, multiply } from '../../../graph/sizes.js';
import { cumSum, type RunningParameters } from '../../../primitives/cum-sum.js';
import type { ElementType } from '../../../tensor/element-types.js';
import { type Lowering, lowers } from '../lowering.js';
import { columnGrainOf } from './grain.js';

const KERNELS: Partial<Record<ElementType, 'cumSum' | 'cumSumI32' | 'cumSumI64'>> = {
  float32: 'cumSum',
  int32: 'cumSumI32',
  uint32: 'cumSumI32',
  int64: 'cumSumI64',
  uint64: 'cumSumI64',
};

function lowerCumSum(c: Lowering, { axis, exclusive, reverse }: RunningParameters): 'host' | undefined {
  const kernel = KERNELS[c.element(0)];
  if (!kernel) return 'host';
  const { outer, length, inner } = viewAbout(c.shape(0), axis);
  const lines = multiply(outer, inner);
  const grain = columnGrainOf(lines, multiply(4, length), inner);
  const order = { exclusive: Number(exclusive), reverse: Number(reverse) };
  const params = { x: c.input(0), y: c.output(0), outer, length, inner, ...order, grain };
  c.launch(kernel, params, ceilDivide(lines, grain), {
    writes: [c.output(0)],
    inPlace: [[c.output(0), c.input(0)]],
  });
}

export const runningSums = lowers(cumSum, lowerCumSum);
