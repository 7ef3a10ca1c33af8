import { intsAttribute } from '../../graph/attributes.js';
import { tensorType } from '../../graph/types.js';
import { convTransposeAttributes } from '../../primitives/conv-transpose-geometry.js';
import { defineOp } from '../../schema/definition.js';
import { FLOATS } from '../../schema/element-sets.js';
import { requireDims } from '../../schema/shapes.js';

const { pads: _, output_shape: __, ...attributes } = convTransposeAttributes;

const [PADS, BIAS] = [2, 3];

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.ConvTransposeWithDynamicPads */
export const convTransposeWithDynamicPads = defineOp({
  domain: 'com.microsoft',
  name: 'ConvTransposeWithDynamicPads',
  signature: 'X: T, W: T, Pads?: int64, B?: T -> Y: T',
  types: { T: FLOATS },
  attributes,
  planned: [PADS],
  infer(c) {
    const [x, w] = [c.dims(0), c.dims(1)];
    if (!x || !w) return [tensorType(c.element(0), undefined)];
    if (x.length < 3 || w.length !== x.length) c.fail('INVALID_SHAPE', `cannot convolve [${x}] with weights [${w}]`);
    requireDims(c, PADS, [2 * (x.length - 2)]);
    const channels = typeof w[1] === 'number' ? w[1] * c.attributes.group : c.unknown();
    return [tensorType(c.element(0), [x[0] as number, channels, ...x.slice(2).map(() => c.unknown())])];
  },
  decompose(c) {
    const pads = c.given(PADS) ? c.sizes(PADS) : [];
    if (!pads) return undefined;
    return c.emit('ConvTranspose', [c.input(0), c.input(1), c.given(BIAS) ? c.input(BIAS) : null], {
      ...c.node.attributes,
      ...(pads.length > 0 && { pads: intsAttribute(pads as number[]) }),
    });
  },
});
