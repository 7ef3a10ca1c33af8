import { type SoftmaxParameters, softmax } from '../../../primitives/softmax.js';
import { aboutAxis } from '../../../tensor/rows.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import { type Lowering, lowers } from '../lowering.js';
import { grainOf } from './grain.js';

/** Emits the kernel over [outer, length, inner]. */
function lowerSoftmax(c: Lowering, { axis, axes, logarithm }: SoftmaxParameters): 'host' | undefined {
  if (c.element(0) !== 'float32') return 'host';
  const dims = c.shape(0);
  const { outer, length, inner } = aboutAxis(dims, axis, axes);
  const grain = grainOf(outer * inner, 8 * length);
  const params = { x: c.input(0), y: c.output(0), outer, length, inner, logarithm: Number(logarithm), grain };
  c.launch('softmax', params, elementCount(dims) && Math.ceil((outer * inner) / grain), {
    writes: [c.output(0)],
    inPlace: [[c.output(0), c.input(0)]],
  });
}

export const softmaxes = lowers(softmax, lowerSoftmax);
