import { string } from '../../../schema/attributes.js';
import { defineOp } from '../../../schema/definition.js';
import { ANY } from '../../../schema/element-sets.js';
import { rowsOfTuples } from '../../../schema/positions.js';
import { sameAsInput } from '../../../schema/shapes.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import { reductionOf, scatterOnHost } from './scatter-reduction.js';

/** https://onnx.ai/onnx/operators/onnx__ScatterND.html */
export const scatterND = defineOp({
  name: 'ScatterND',
  since: 11,
  signature: 'data: T, indices: int64, updates: T -> output: T',
  types: { T: ANY },
  attributes: { reduction: string('none') },
  infer(c) {
    const [data, indices] = [c.dims(0), c.dims(1)];
    const depth = indices?.at(-1);
    if (data && typeof depth === 'number' && depth > data.length)
      c.fail('INVALID_SHAPE', `indices [${indices}] name ${depth} axes of data [${data}]`);
    return sameAsInput(c);
  },
  evaluate(c) {
    const [x, indices, updates] = [c.tensor(0), c.tensor(1), c.tensor(2)];
    const depth = indices.dims.at(-1) as number;
    const targets = rowsOfTuples(c, indices, { dims: x.dims.slice(0, depth), axis: 0 });
    return [scatterOnHost(x, updates, targets, elementCount(x.dims.slice(depth)), reductionOf(c))];
  },
});
