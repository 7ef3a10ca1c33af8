import { areDecided, fixed } from '../../../graph/guards.js';
import { formatSizes } from '../../../graph/sizes.js';
import { scatterND as primitive } from '../../../primitives/scatter.js';
import { string } from '../../../schema/attributes.js';
import { by, defineOp, type Inference } from '../../../schema/definition.js';
import { ANY } from '../../../schema/element-sets.js';
import { requireDims, sameAsInput } from '../../../schema/shapes.js';
import { reductionOf, type ScatterAttributes } from './scatter-reduction.js';

/** https://onnx.ai/onnx/operators/onnx__ScatterND.html */
export const scatterND = defineOp({
  name: 'ScatterND',
  since: 11,
  signature: 'data: T, indices: int64, updates: T -> output: T',
  types: { T: ANY },
  attributes: { reduction: string('none') },
  guarded: true,
  infer(c) {
    const [data, indices] = [c.dims(0), c.dims(1)];
    const last = indices?.at(-1);
    if (!data || !indices || last === undefined || !areDecided([last])) return sameAsInput(c);
    const depth = fixed(last);
    if (depth > data.length)
      c.fail('INVALID_SHAPE', `indices [${formatSizes(indices)}] index ${depth} axes of data [${formatSizes(data)}]`);
    requireDims(c, 2, [...indices.slice(0, -1), ...data.slice(depth)]);
    return sameAsInput(c);
  },
  computes: by(primitive, (c: Inference<ScatterAttributes>) => ({ reduction: reductionOf(c) })),
});
