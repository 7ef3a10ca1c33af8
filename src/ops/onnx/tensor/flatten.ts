import { product } from '../../../graph/sizes.js';
import { int } from '../../../schema/attributes.js';
import { defineOp } from '../../../schema/definition.js';
import { ANY } from '../../../schema/element-sets.js';
import { viewOf } from '../../view.js';

/** https://onnx.ai/onnx/operators/onnx__Flatten.html */
export const flatten = defineOp({
  name: 'Flatten',
  signature: 'input: T -> output: T',
  types: { T: ANY },
  attributes: { axis: int(1) },
  guarded: true,
  ...viewOf<{ readonly axis: number }>((c) => {
    const dims = c.dims(0);
    if (!dims) return [c.unknown(), c.unknown()];
    const { axis } = c.attributes;
    if (axis < -dims.length || axis > dims.length)
      c.fail('INVALID_ATTRIBUTE', `axis ${axis} is outside ±${dims.length}`);
    const split = axis < 0 ? axis + dims.length : axis;
    return [product(dims.slice(0, split)), product(dims.slice(split))];
  }),
});
