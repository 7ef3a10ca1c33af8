import { type Along, restateAxis } from '../../../primitives/along.js';
import { softmax as primitive } from '../../../primitives/softmax.js';
import { int } from '../../../schema/attributes.js';
import { by, defineOp, type Inference } from '../../../schema/definition.js';
import { FLOATS } from '../../../schema/element-sets.js';
import { axisOf, sameAsInput } from '../../../schema/shapes.js';

/** From opset 13 on along one axis; before that, over all axes from `axis` on, flattened to one. */
const versions = (name: string, logarithm: boolean) =>
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
      guarded: true,
      infer: sameAsInput,
      computes: by(
        primitive,
        (c: Inference<Along>) => {
          const dims = c.dims(0);
          if (!dims) return undefined;
          const axis = dims.length === 0 ? 0 : axisOf(c, c.attributes.axis, dims.length);
          return { axis, axes: throughEnd ? dims.length - axis : 1, logarithm };
        },
        throughEnd ? undefined : restateAxis,
      ),
    }),
  );

/** https://onnx.ai/onnx/operators/onnx__Softmax.html */
export const softmax = versions('Softmax', false);
/** https://onnx.ai/onnx/operators/onnx__LogSoftmax.html */
export const logSoftmax = versions('LogSoftmax', true);
