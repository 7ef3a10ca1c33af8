import { grainOf } from '../../backends/wasm/lower/grain.js';
import { stridesOf } from '../../graph/dims.js';
import { elementCount } from '../../tensor/tensor-value.js';
import { string } from '../attributes.js';
import { defineOp } from '../definition.js';
import { ANY } from '../element-sets.js';
import { outsideOf, rowsOfTuples } from '../positions.js';
import { sameAsInput } from '../shapes.js';
import { reductionOf, scatterOnHost, startScatter } from './scatter-reduction.js';

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
  lower(c) {
    const [data, space] = [c.shape(0), c.shape(1)];
    const depth = space.at(-1) as number;
    const start = startScatter(c);
    if (start === 'host') return start;
    const tuples = elementCount(space.slice(0, -1));
    const row = elementCount(data.slice(depth));
    const tileColumns = grainOf(row, 8 * tuples);
    const params = {
      updates: c.input(2),
      indices: c.input(1),
      y: c.output(0),
      flag: c.guard(1, outsideOf({ dims: data.slice(0, depth), axis: 0 })),
      table: c.table(Int32Array.from([...data.slice(0, depth), ...stridesOf(data.slice(0, depth))])),
      depth,
      indexBytes: 8,
      tuples,
      row,
      ...start,
      tileColumns,
    };
    c.launch('scatter', params, Math.ceil(row / tileColumns), { writes: [c.output(0)] });
  },
});
