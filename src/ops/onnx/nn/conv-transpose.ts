import { tensorType } from '../../../graph/types.js';
import {
  convTransposeAttributes,
  type Geometry,
  transposedGeometry,
} from '../../../primitives/conv-transpose-geometry.js';
import { convolveTransposedOnHost } from '../../../primitives/convolve-on-host.js';
import { hasWindowKernel, type KnownWindow } from '../../../primitives/window.js';
import { defineOp } from '../../../schema/definition.js';
import { FLOATS } from '../../../schema/element-sets.js';
import { requireDims } from '../../../schema/shapes.js';
import { throughChannelsLast } from '../../channels-last.js';
import { throughFloat32 } from '../../through-float32.js';

/** https://onnx.ai/onnx/operators/onnx__ConvTranspose.html */
export const convTranspose = defineOp({
  name: 'ConvTranspose',
  signature: 'X: T, W: T, B?: T -> Y: T',
  types: { T: FLOATS },
  attributes: convTransposeAttributes,
  infer(c) {
    const g = transposedGeometry(c, c.dims(0));
    requireDims(c, 2, [g?.outChannels]);
    return [tensorType(c.element(0), g && [g.batch, g.outChannels, ...g.windows.map((w) => w.out)])];
  },
  decompose(c) {
    const rank = c.dims(1)?.length ?? c.dims(0)?.length;
    if (rank === undefined) return undefined;
    if (c.element(0) !== 'float32') return throughFloat32(c);
    if (!hasWindowKernel(rank)) return undefined;
    return throughChannelsLast(c, rank, [c.input(1), c.given(2) ? c.input(2) : null]);
  },
  evaluate(c) {
    const { windows } = transposedGeometry(c, c.dims(0)) as Geometry;
    const bias = c.given(2) ? c.tensor(2) : undefined;
    const { group } = c.attributes;
    return [
      convolveTransposedOnHost({ x: c.tensor(0), w: c.tensor(1), bias, group, windows: windows as KnownWindow[] }),
    ];
  },
});
