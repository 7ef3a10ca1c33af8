import { defineOp } from '../../schema/definition.js';
import { ANY } from '../../schema/element-sets.js';
import { axisOf, like, numberAt } from '../../schema/shapes.js';
import { listOf } from '../emit.js';

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.ExpandDims */
export const expandDims = defineOp({
  domain: 'com.microsoft',
  name: 'ExpandDims',
  signature: 'X: T, axis: int32 -> Y: T',
  types: { T: ANY },
  planned: [1],
  infer(c) {
    const dims = c.dims(0);
    const axis = numberAt(c, 1);
    if (!dims) return [like(c, 0, undefined)];
    if (axis === undefined)
      return [
        like(
          c,
          0,
          [...dims, 1].map(() => c.unknown()),
        ),
      ];
    return [like(c, 0, dims.toSpliced(axisOf(c, axis, dims.length + 1), 0, 1))];
  },
  decompose(c) {
    const axis = numberAt(c, 1);
    return axis === undefined ? undefined : c.emit('Unsqueeze', [c.input(0), listOf(c, [axis])]);
  },
});
