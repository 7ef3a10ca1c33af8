import { axisOf } from '../../../schema/shapes.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import type { Lowering, Lowerings } from '../lowering.js';
import { grainOf } from './grain.js';

interface AxisAttribute {
  readonly axis: number;
}

/** Emits the kernel over [outer, length, inner]. */
function lowerSoftmax(c: Lowering<AxisAttribute>, logarithm: number, throughEnd: boolean): 'host' | undefined {
  if (c.element(0) !== 'float32') return 'host';
  const dims = c.shape(0);
  const axis = dims.length === 0 ? 0 : axisOf(c, c.attributes.axis, dims.length);
  const outer = elementCount(dims.slice(0, axis));
  const length = throughEnd ? elementCount(dims.slice(axis)) : (dims[axis] ?? 1);
  const inner = throughEnd ? 1 : elementCount(dims.slice(axis + 1));
  const grain = grainOf(outer * inner, 8 * length);
  const params = { x: c.input(0), y: c.output(0), outer, length, inner, logarithm, grain };
  c.launch('softmax', params, elementCount(dims) && Math.ceil((outer * inner) / grain), {
    writes: [c.output(0)],
    inPlace: [[c.output(0), c.input(0)]],
  });
}

/** Before opset 13 all axes from `axis` on are one. */
export const softmaxes: Lowerings = {
  Softmax: (c) => lowerSoftmax(c, 0, false),
  'Softmax-1': (c) => lowerSoftmax(c, 0, true),
  LogSoftmax: (c) => lowerSoftmax(c, 1, false),
  'LogSoftmax-1': (c) => lowerSoftmax(c, 1, true),
};
