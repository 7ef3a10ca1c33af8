import { oneOf } from '../../schema/attributes.js';
import { defineOp } from '../../schema/definition.js';
import { FLOATS } from '../../schema/element-sets.js';
import { like } from '../../schema/shapes.js';
import { reshapeTo } from '../emit.js';

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.Pad: pads may also be [1, 2 · rank]. */
export const microsoftPad = defineOp({
  domain: 'com.microsoft',
  name: 'Pad',
  signature: 'data: T, pads: int64, value?: T -> output: T',
  types: { T: FLOATS },
  attributes: { mode: oneOf('constant', 'reflect', 'edge') },
  infer(c) {
    const pads = c.dims(1);
    if (pads && (pads.length === 0 || pads.length > 2 || (pads.length === 2 && pads[0] !== 1)))
      c.fail('INVALID_SHAPE', `input 1 must be [2 · rank] or [1, 2 · rank], not [${pads}]`);
    return [
      like(
        c,
        0,
        c.dims(0)?.map(() => c.unknown()),
      ),
    ];
  },
  decompose: (c) =>
    c.emit('Pad', [c.input(0), reshapeTo(c, c.input(1), [-1]), c.given(2) ? c.input(2) : null], c.node.attributes),
});
