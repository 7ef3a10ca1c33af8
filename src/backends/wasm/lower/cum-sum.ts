import { linesOf, type RunningAttributes } from '../../../ops/onnx/math/cum-sum.js';
import type { ElementType } from '../../../tensor/element-types.js';
import type { Lowering, Lowerings } from '../lowering.js';
import { columnGrainOf } from './grain.js';

const KERNELS: Partial<Record<ElementType, 'cumSum' | 'cumSumI32' | 'cumSumI64'>> = {
  float32: 'cumSum',
  int32: 'cumSumI32',
  uint32: 'cumSumI32',
  int64: 'cumSumI64',
  uint64: 'cumSumI64',
};

function cumSum(c: Lowering<RunningAttributes>): 'host' | undefined {
  const kernel = KERNELS[c.element(0)];
  if (!kernel) return 'host';
  const { outer, length, inner } = linesOf(c, c.shape(0));
  const { exclusive, reverse } = c.attributes;
  const grain = columnGrainOf(outer * inner, 4 * length, inner);
  const params = { x: c.input(0), y: c.output(0), outer, length, inner, exclusive, reverse, grain };
  c.launch(kernel, params, Math.ceil((outer * inner) / grain), {
    writes: [c.output(0)],
    inPlace: [[c.output(0), c.input(0)]],
  });
}

export const runningSums: Lowerings = { CumSum: cumSum };
