import { int } from '../../../schema/attributes.js';
import { defineOp } from '../../../schema/definition.js';
import { FLOATS } from '../../../schema/element-sets.js';
import { axisOf, sameAsInput } from '../../../schema/shapes.js';
import { numbersOf, tensorOf } from '../../../tensor/numbers.js';
import { type AxisView, aboutAxis } from '../../../tensor/rows.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import { throughFloat32 } from '../../through-float32.js';

function softmaxOnHost(x: TensorValue, { outer, length, inner }: AxisView, logarithm: boolean): TensorValue {
  const values = numbersOf(x);
  const results = new Float64Array(values.length);
  for (let line = 0; line < outer * inner; line++) {
    const from = Math.floor(line / inner) * length * inner + (line % inner);
    let peak = Number.NEGATIVE_INFINITY;
    for (let n = 0; n < length; n++) peak = Math.max(peak, values[from + n * inner] as number);
    let total = 0;
    for (let n = 0; n < length; n++) total += Math.exp((values[from + n * inner] as number) - peak);
    for (let n = 0; n < length; n++) {
      const shifted = (values[from + n * inner] as number) - peak;
      results[from + n * inner] = logarithm ? shifted - Math.log(total) : Math.exp(shifted) / total;
    }
  }
  return tensorOf(x.type, x.dims, results);
}

/** From opset 13 along one axis; before, over all axes from `axis` on as one. */
const versions = (name: string, logarithm: number) =>
  [
    { since: 13, axis: -1, throughEnd: false },
    { since: 1, axis: 1, throughEnd: true },
  ].map(({ since, axis, throughEnd }) =>
    defineOp({
      name,
      since,
      signature: 'input: T -> output: T',
      types: { T: FLOATS },
      attributes: { axis: int(axis) },
      infer: sameAsInput,
      decompose: (c) => (throughEnd ? undefined : throughFloat32(c)),
      evaluate(c) {
        const x = c.tensor(0);
        const rank = x.dims.length;
        const from = rank === 0 ? 0 : axisOf(c, c.attributes.axis, rank);
        return [softmaxOnHost(x, aboutAxis(x.dims, from, throughEnd ? rank - from : 1), logarithm !== 0)];
      },
    }),
  );

/** https://onnx.ai/onnx/operators/onnx__Softmax.html */
export const softmax = versions('Softmax', 0);
/** https://onnx.ai/onnx/operators/onnx__LogSoftmax.html */
export const logSoftmax = versions('LogSoftmax', 1);
