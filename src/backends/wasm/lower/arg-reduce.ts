import type { ArgReduceAttributes } from '../../../ops/onnx/reduction/arg-reduce.js';
import { axisOf } from '../../../schema/shapes.js';
import type { ElementType } from '../../../tensor/element-types.js';
import { aboutAxis } from '../../../tensor/rows.js';
import type { Lowering, Lowerings } from '../lowering.js';
import { grainOf } from './grain.js';

const KERNELS: Partial<Record<ElementType, 'argReduce' | 'argReduceI32' | 'argReduceI64'>> = {
  float32: 'argReduce',
  int32: 'argReduceI32',
  int64: 'argReduceI64',
};

function argReduce(c: Lowering<ArgReduceAttributes>, smallest: number): 'host' | undefined {
  const kernel = KERNELS[c.element(0)];
  if (!kernel) return 'host';
  const dims = c.shape(0);
  const { outer, length, inner } = aboutAxis(dims, axisOf(c, c.attributes.axis, dims.length));
  const grain = grainOf(outer * inner, 2 * length);
  const selectLast = c.attributes.select_last_index;
  const params = { x: c.input(0), y: c.output(0), outer, length, inner, smallest, selectLast, grain };
  c.launch(kernel, params, Math.ceil((outer * inner) / grain), { writes: [c.output(0)] });
}

export const argReductions: Lowerings = {
  ArgMax: (c) => argReduce(c, 0),
  ArgMin: (c) => argReduce(c, 1),
};
