import { isAtMost } from '../../../graph/guards.js';
import { add, formatSizes, type Size } from '../../../graph/sizes.js';
import { type Along, along } from '../../../primitives/along.js';
import { scatterElements as primitive } from '../../../primitives/scatter.js';
import { int, string } from '../../../schema/attributes.js';
import { by, defineOp, type Inference } from '../../../schema/definition.js';
import { ANY, INDICES } from '../../../schema/element-sets.js';
import { axisOf, requireDims, sameAsInput } from '../../../schema/shapes.js';
import { reductionOf, type ScatterAttributes } from './scatter-reduction.js';

/** https://onnx.ai/onnx/operators/onnx__ScatterElements.html and its older name, Scatter. */
const scattering = (name: string, since: number) =>
  defineOp({
    name,
    since,
    signature: 'data: T, indices: Tind, updates: T -> output: T',
    types: { T: ANY, Tind: INDICES },
    attributes: { axis: int(0), reduction: string('none') },
    guarded: true,
    infer(c) {
      const [data, space] = [c.dims(0), c.dims(1)];
      const axis = data && axisOf(c, c.attributes.axis, data.length);
      if (data && space) {
        const isBeyond = (d: Size, i: number) => i !== axis && isAtMost(add(data[i] as Size, 1), d);
        if (data.length !== space.length || space.some(isBeyond))
          c.fail(
            'INVALID_SHAPE',
            `indices [${formatSizes(space)}] exceed data [${formatSizes(data)}] in axes other than ${axis}`,
          );
        requireDims(c, 2, space);
      }
      return sameAsInput(c);
    },
    computes: by(primitive, (c: Inference<ScatterAttributes & Along>) => {
      const at = along(c);
      return at && { ...at, reduction: reductionOf(c) };
    }),
  });

export const scatterElements = scattering('ScatterElements', 11);
export const scatter = scattering('Scatter', 9);
