import { int } from '../../../schema/attributes.js';
import { defineOp } from '../../../schema/definition.js';
import { FLOATS } from '../../../schema/element-sets.js';
import { axisOf, sameAsInput } from '../../../schema/shapes.js';
import { numbersOf, tensorOf } from '../../../tensor/numbers.js';
import { aboutAxis } from '../../../tensor/rows.js';
import { elementCount } from '../../../tensor/tensor-value.js';

/** https://onnx.ai/onnx/operators/onnx__Hardmax.html; before opset 13, all axes from `axis` on are flattened to one. */
export const hardmax = [
  { since: 13, axis: -1, throughEnd: false },
  { since: 1, axis: 1, throughEnd: true },
].map(({ since, axis: fallback, throughEnd }) =>
  defineOp({
    name: 'Hardmax',
    since,
    signature: 'input: T -> output: T',
    types: { T: FLOATS },
    attributes: { axis: int(fallback) },
    infer: sameAsInput,
    evaluate(c) {
      const x = c.tensor(0);
      const rank = x.dims.length;
      const axis = axisOf(c, c.attributes.axis, rank);
      const { outer, length, inner } = aboutAxis(x.dims, axis, throughEnd ? rank - axis : 1);
      const values = numbersOf(x);
      const hot = new Float64Array(elementCount(x.dims));
      for (let line = 0; line < outer * inner; line++) {
        const from = Math.floor(line / inner) * length * inner + (line % inner);
        let best = from;
        for (let n = 1; n < length; n++) {
          const at = from + n * inner;
          if ((values[at] as number) > (values[best] as number)) best = at;
        }
        if (length > 0) hot[best] = 1;
      }
      return [tensorOf(x.type, x.dims, hot)];
    },
  }),
);
