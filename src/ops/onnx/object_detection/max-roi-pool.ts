import { tensorType } from '../../../graph/types.js';
import { defineOp } from '../../../schema/definition.js';
import { FLOATS } from '../../../schema/element-sets.js';
import { numbersOf, tensorOf } from '../../../tensor/numbers.js';
import { eachMaximum, maxRoiAttributes } from './roi-maxima.js';

/** https://onnx.ai/onnx/operators/onnx__MaxRoiPool.html */
export const maxRoiPool = defineOp({
  name: 'MaxRoiPool',
  signature: 'X: T, rois: T -> Y: T',
  types: { T: FLOATS },
  attributes: maxRoiAttributes,
  infer(c) {
    const [x, rois] = [c.dims(0), c.dims(1)];
    if (x && x.length !== 4) c.fail('INVALID_SHAPE', `X must be [N, C, height, width], not [${x}]`);
    if (rois && (rois.length !== 2 || (typeof rois[1] === 'number' && rois[1] !== 5))) {
      c.fail('INVALID_SHAPE', `rois must be [count, 5], not [${rois}]`);
    }
    const { pooled_shape } = c.attributes;
    if (pooled_shape.length !== 2) c.fail('INVALID_ATTRIBUTE', `pooled_shape [${pooled_shape}] must have 2 entries`);
    const [height, width] = pooled_shape as [number, number];
    return [tensorType(c.element(0), x && [rois?.[0] ?? c.unknown(), x[1] ?? c.unknown(), height, width])];
  },
  evaluate(c) {
    const x = c.tensor(0);
    const pixels = numbersOf(x);
    const y: number[] = [];
    eachMaximum(c, pixels, (at) => y.push(at < 0 ? 0 : (pixels[at] as number)));
    return [tensorOf(x.type, [c.tensor(1).dims[0] as number, x.dims[1] as number, ...c.attributes.pooled_shape], y)];
  },
});
