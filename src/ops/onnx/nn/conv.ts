import { tensorType } from '../../../graph/types.js';
import { type ConvGeometry, convDims, geometryOf } from '../../../primitives/conv-geometry.js';
import { convolveOnHost } from '../../../primitives/convolve-on-host.js';
import { convAttributes, hasWindowKernel, type KnownWindow } from '../../../primitives/window.js';
import { defineOp } from '../../../schema/definition.js';
import { FLOATS } from '../../../schema/element-sets.js';
import { requireDims } from '../../../schema/shapes.js';
import { throughChannelsLast } from '../../channels-last.js';
import { throughFloat32 } from '../../through-float32.js';

/** https://onnx.ai/onnx/operators/onnx__Conv.html */
export const conv = defineOp({
  name: 'Conv',
  signature: 'X: T, W: T, B?: T -> Y: T',
  types: { T: FLOATS },
  attributes: convAttributes,
  infer(c) {
    requireDims(c, 2, [c.dims(1)?.[0]]);
    return [tensorType(c.element(0), convDims(c, c.dims(0), c.dims(1)))];
  },
  decompose(c) {
    const rank = c.dims(1)?.length ?? c.dims(0)?.length;
    if (rank === undefined) return undefined;
    if (c.element(0) !== 'float32') return throughFloat32(c);
    if (!hasWindowKernel(rank)) return undefined;
    return throughChannelsLast(c, rank, [c.input(1), c.given(2) ? c.input(2) : null]);
  },
  evaluate(c) {
    const { windows } = geometryOf(c, c.dims(0), c.dims(1)) as ConvGeometry;
    const bias = c.given(2) ? c.tensor(2) : undefined;
    const { group } = c.attributes;
    return [convolveOnHost({ x: c.tensor(0), w: c.tensor(1), bias, group, windows: windows as KnownWindow[] })];
  },
});
