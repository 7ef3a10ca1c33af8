import type { Value } from '../../graph/graph.js';
import type { Size } from '../../graph/sizes.js';
import { toChannelsFirst, toChannelsLast } from '../../primitives/channels-last.js';
import { hasWindowKernel, poolAttributes, windowsOf } from '../../primitives/window.js';
import { type Decomposition, defineOp } from '../../schema/definition.js';
import { like } from '../../schema/shapes.js';
import { permutation } from '../channels-last.js';
import { castTo, emitOne } from '../emit.js';
import { BYTES } from './quantized-operands.js';

/** Transposes to [N, C, spatial…] for MaxPool, which supports windows of any rank. */
function throughChannelsFirst(c: Decomposition<unknown>, rank: number): Value {
  const x = emitOne(c, 'Transpose', [c.input(0)], permutation(toChannelsFirst(rank)));
  return emitOne(c, 'Transpose', [emitOne(c, 'MaxPool', [x], c.node.attributes)], permutation(toChannelsLast(rank)));
}

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.NhwcMaxPool */
export const nhwcMaxPool = defineOp({
  domain: 'com.microsoft',
  name: 'NhwcMaxPool',
  signature: 'x: T -> y: T',
  types: { T: BYTES },
  attributes: poolAttributes,
  infer(c) {
    const dims = c.dims(0);
    if (!dims) return [like(c, 0, undefined)];
    if (dims.length < 3) c.fail('INVALID_SHAPE', `input 0 must be [N, spatial…, C], not [${dims}]`);
    const spatial = windowsOf(c, dims.slice(1, -1), c.attributes.kernel_shape).map(({ out }) => out);
    return [like(c, 0, [dims[0] as Size, ...spatial, dims.at(-1) as Size])];
  },
  decompose(c) {
    const rank = c.attributes.kernel_shape.length + 2;
    if (!hasWindowKernel(rank)) return [throughChannelsFirst(c, rank)];
    const maxima = emitOne(c, 'sardonyx:MaxPool', [castTo(c, c.input(0), 'float32')], c.node.attributes);
    return [castTo(c, maxima, c.element(0))];
  },
});
