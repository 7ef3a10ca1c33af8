import { viewAbout } from '../../../graph/dims.js';
import { isSame } from '../../../graph/guards.js';
import { ceilDivide, multiply, product } from '../../../graph/sizes.js';
import { type SoftmaxParameters, softmax } from '../../../primitives/softmax.js';
import { type Lowering, lowers } from '../lowering.js';
import { grainOf } from './grain.js';

/** Emits the kernel over [outer, length, inner]. */
function lowerSoftmax(c: Lowering, { axis, axes, logarithm }: SoftmaxParameters): 'host' | undefined {
  if (c.element(0) !== 'float32') return 'host';
  const dims = c.shape(0);
  const { outer, length, inner } = viewAbout(dims, axis, axes);
  const rows = multiply(outer, inner);
  const grain = grainOf(rows, multiply(length, 8));
  const params = { x: c.input(0), y: c.output(0), outer, length, inner, logarithm: Number(logarithm), grain };
  c.launch('softmax', params, isSame(product(dims), 0) ? 0 : ceilDivide(rows, grain), {
    writes: [c.output(0)],
    inPlace: [[c.output(0), c.input(0)]],
  });
}

export const softmaxes = lowers(softmax, lowerSoftmax);
