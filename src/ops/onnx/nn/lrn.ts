import { lrnAttributes, normalizeResponses } from '../../../primitives/lrn.js';
import { defineOp } from '../../../schema/definition.js';
import { FLOATS } from '../../../schema/element-sets.js';
import { sameAsInput } from '../../../schema/shapes.js';
import { throughChannelsLast } from '../../channels-last.js';
import { throughFloat32 } from '../../through-float32.js';

/** The largest window size that the kernel supports. */
const MAX_SIZE = 2 ** 30;

/** https://onnx.ai/onnx/operators/onnx__LRN.html */
export const lrn = defineOp({
  name: 'LRN',
  signature: 'X: T -> Y: T',
  types: { T: FLOATS },
  attributes: lrnAttributes,
  infer(c) {
    const { size } = c.attributes;
    if (size < 1 || size > MAX_SIZE) c.fail('INVALID_ATTRIBUTE', `size must be 1 to ${MAX_SIZE}, not ${size}`);
    const dims = c.dims(0);
    if (dims && dims.length < 2) c.fail('INVALID_SHAPE', `input 0 must be [batch, channels, …], not [${dims}]`);
    return sameAsInput(c);
  },
  decompose(c) {
    const rank = c.dims(0)?.length;
    if (rank === undefined) return undefined;
    return c.element(0) === 'float32' ? throughChannelsLast(c, rank) : throughFloat32(c);
  },
  evaluate: (c) => [normalizeResponses(c.tensor(0), c.attributes)],
});
