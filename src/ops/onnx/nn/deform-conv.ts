import { intAttribute, intsAttribute } from '../../../graph/attributes.js';
import { formatSize, isKnown, type Size } from '../../../graph/sizes.js';
import { tensorType } from '../../../graph/types.js';
import { toChannelsFirst, toChannelsLast } from '../../../primitives/channels-last.js';
import { type ConvAttributes, convDims, geometryOf } from '../../../primitives/conv-geometry.js';
import type { KnownWindow } from '../../../primitives/window.js';
import { int, ints } from '../../../schema/attributes.js';
import { type Decomposition, defineOp, type Inference } from '../../../schema/definition.js';
import { FLOATS } from '../../../schema/element-sets.js';
import { requireDims } from '../../../schema/shapes.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import { permutation } from '../../channels-last.js';
import { emitOne } from '../../emit.js';
import { throughFloat32 } from '../../through-float32.js';
import { convolveDeformed } from './deform-on-host.js';

interface DeformAttributes extends ConvAttributes {
  readonly offset_group: number;
}

const [X, W, OFFSET, BIAS, MASK] = [0, 1, 2, 3, 4];

/** Kernels support up to three spatial axes. */
const MAX_RANK = 5;

/** Checks the inputs against the weights; returns the output shape. */
function dimsOf(c: Inference<DeformAttributes>): readonly Size[] | undefined {
  const y = convDims(c, c.dims(X), c.dims(W));
  if (!y) return undefined;
  const { offset_group } = c.attributes;
  const channels = c.dims(X)?.[1];
  if (offset_group < 1 || (typeof channels === 'number' && channels % offset_group !== 0))
    c.fail('INVALID_ATTRIBUTE', `${formatSize(channels)} channels cannot be split into ${offset_group} offset groups`);
  const [batch, outChannels, ...out] = y;
  const kernel = c.dims(W)?.slice(2) as readonly Size[];
  const taps = isKnown(kernel) ? offset_group * elementCount(kernel) : undefined;
  requireDims(c, OFFSET, [batch, taps && taps * kernel.length, ...out]);
  requireDims(c, BIAS, [outChannels]);
  requireDims(c, MASK, [batch, taps, ...out]);
  return y;
}

/** Samples the deformed taps side by side, then convolves them as usual. */
function decompose(c: Decomposition<DeformAttributes>) {
  const [x, w] = [c.dims(X), c.dims(W)];
  if (!x || !isKnown(w) || x.length > MAX_RANK) return undefined;
  if (c.element(X) !== 'float32') return throughFloat32(c);
  const { group, offset_group, strides, pads, dilations } = c.attributes;
  const last = permutation(toChannelsLast(x.length));
  const inputs = [X, OFFSET, MASK].map((i) => (c.given(i) ? emitOne(c, 'Transpose', [c.input(i)], last) : null));
  const kernel = intsAttribute(w.slice(2));
  const image = emitOne(c, 'sardonyx:DeformSample', inputs, {
    offset_group: intAttribute(offset_group),
    kernel_shape: kernel,
    ...(strides && { strides: intsAttribute(strides) }),
    ...(pads && { pads: intsAttribute(pads) }),
    ...(dilations && { dilations: intsAttribute(dilations) }),
  });
  const operands = [image, c.input(W), c.given(BIAS) ? c.input(BIAS) : null];
  const y = emitOne(c, 'sardonyx:Conv', operands, { group: intAttribute(group), strides: kernel });
  return c.emit('Transpose', [y], permutation(toChannelsFirst(x.length)));
}

/** https://onnx.ai/onnx/operators/onnx__DeformConv.html */
export const deformConv = defineOp({
  name: 'DeformConv',
  since: 19,
  signature: 'X: T, W: T, offset: T, B?: T, mask?: T -> Y: T',
  types: { T: FLOATS },
  attributes: {
    dilations: ints(),
    group: int(1),
    kernel_shape: ints(),
    offset_group: int(1),
    pads: ints(),
    strides: ints(),
  },
  infer: (c) => [tensorType(c.element(X), dimsOf(c))],
  decompose,
  evaluate(c) {
    const { group, offset_group: offsetGroups } = c.attributes;
    const optional = (i: number) => (c.given(i) ? c.tensor(i) : undefined);
    const operands = { x: c.tensor(X), w: c.tensor(W), offset: c.tensor(OFFSET) };
    const windows = geometryOf(c, c.dims(X), c.dims(W))?.windows as KnownWindow[];
    return [
      convolveDeformed({ ...operands, bias: optional(BIAS), mask: optional(MASK), group, offsetGroups, windows }),
    ];
  },
});
