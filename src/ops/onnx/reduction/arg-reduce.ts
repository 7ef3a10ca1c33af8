import { type Dim, tensorType } from '../../../graph/types.js';
import { int } from '../../../schema/attributes.js';
import { defineOp, type Inference } from '../../../schema/definition.js';
import { NUMBERS } from '../../../schema/element-sets.js';
import { axisOf } from '../../../schema/shapes.js';
import { numbersOf } from '../../../tensor/numbers.js';
import { aboutAxis } from '../../../tensor/rows.js';

export interface ArgReduceAttributes {
  readonly axis: number;
  readonly keepdims: number;
  readonly select_last_index: number;
}

function reducedDims(c: Inference<ArgReduceAttributes>): Dim[] | undefined {
  const dims = c.dims(0);
  if (!dims) return undefined;
  const axis = axisOf(c, c.attributes.axis, dims.length);
  if (dims[axis] === 0) c.fail('INVALID_SHAPE', `axis ${axis} of [${dims}] is empty`);
  return c.attributes.keepdims ? dims.with(axis, 1) : dims.toSpliced(axis, 1);
}

/** https://onnx.ai/onnx/operators/onnx__ArgMax.html and ArgMin. */
const argReduction = (name: string, smallest: boolean) =>
  defineOp({
    name,
    signature: 'data: T -> reduced: int64',
    types: { T: NUMBERS },
    attributes: { axis: int(0), keepdims: int(1), select_last_index: int(0) },
    infer: (c) => [tensorType('int64', reducedDims(c))],
    evaluate(c) {
      const x = c.tensor(0);
      const { outer, length, inner } = aboutAxis(x.dims, axisOf(c, c.attributes.axis, x.dims.length));
      const values = numbersOf(x);
      const data = new BigInt64Array(outer * inner);
      for (let i = 0; i < data.length; i++) {
        const from = Math.floor(i / inner) * length * inner + (i % inner);
        let best = values[from] as number;
        for (let k = 1; k < length; k++) {
          const value = values[from + k * inner] as number;
          const wins = smallest ? value < best : value > best;
          if (wins || (value === best && c.attributes.select_last_index)) {
            best = value;
            data[i] = BigInt(k);
          }
        }
      }
      return [{ type: 'int64', dims: reducedDims(c) as number[], data }];
    },
  });

export const argMax = argReduction('ArgMax', false);
export const argMin = argReduction('ArgMin', true);
