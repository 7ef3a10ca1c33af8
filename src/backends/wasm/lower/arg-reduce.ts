import { viewAbout } from '../../../graph/dims.js';
import { ceilDivide, multiply } from '../../../graph/sizes.js';
import { type ArgReduceParameters, argReduce } from '../../../primitives/arg-reduce.js';
import type { ElementType } from '../../../tensor/element-types.js';
import { type Lowering, lowers } from '../lowering.js';
import { grainOf } from './grain.js';

const KERNELS: Partial<Record<ElementType, 'argReduce' | 'argReduceI32' | 'argReduceI64'>> = {
  float32: 'argReduce',
  int32: 'argReduceI32',
  int64: 'argReduceI64',
};

function lowerArgReduce(c: Lowering, { axis, smallest, last }: ArgReduceParameters): 'host' | undefined {
  const kernel = KERNELS[c.element(0)];
  if (!kernel) return 'host';
  const { outer, length, inner } = viewAbout(c.shape(0), axis);
  const lines = multiply(outer, inner);
  const grain = grainOf(lines, multiply(2, length));
  const order = { smallest: Number(smallest), selectLast: Number(last) };
  const params = { x: c.input(0), y: c.output(0), outer, length, inner, ...order, grain };
  c.launch(kernel, params, ceilDivide(lines, grain), { writes: [c.output(0)] });
}

export const argReductions = lowers(argReduce, lowerArgReduce);
