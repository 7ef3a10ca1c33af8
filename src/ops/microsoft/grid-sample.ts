import type { Value } from '../../graph/graph.js';
import { isKnown, type Size } from '../../graph/sizes.js';
import type { GridAttributes } from '../../primitives/grid-taps.js';
import { type Decomposition, defineOp } from '../../schema/definition.js';
import { FLOATS } from '../../schema/element-sets.js';
import { tensorOf } from '../../tensor/numbers.js';
import { arithmeticOn, emitOne, listOf } from '../emit.js';
import { gridSample as onnx } from '../onnx/nn/grid-sample.js';
import { asOnnx } from './as-onnx.js';

/** Larger than the reach of cubic taps. */
const MARGIN = 3;

/**
 * onnxruntime clamps each cubic tap to the border, where ONNX clamps the sampling point. Padding the image with its edge gives the same
 * result.
 */
function bordered(c: Decomposition<GridAttributes>): Value[] | undefined {
  const sizes: readonly Size[] | undefined = c.dims(0)?.slice(2);
  if (!isKnown(sizes)) return undefined;
  const margins = [0, 0, ...sizes.map(() => MARGIN)];
  const image = emitOne(c, 'Pad', [c.input(0), listOf(c, [...margins, ...margins])], {
    mode: { type: 'string', value: 'edge' },
  });
  const { align_corners } = c.attributes;
  const lengths = sizes.toReversed().map((size) => (align_corners ? size - 1 : size));
  const vector = (numbers: number[]) => c.constant(tensorOf(c.element(1), [numbers.length], numbers));
  const f = arithmeticOn(c, c.element(1));
  const scale = vector(lengths.map((length) => length / (length + 2 * MARGIN)));
  const shift = vector(lengths.map((length) => (2 * MARGIN) / (length + 2 * MARGIN)));
  const places = f('Sub', f('Add', f('Mul', f('Add', c.input(1), 1), scale), shift), 1);
  return c.emit('GridSample', [image, places], c.node.attributes);
}

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.GridSample */
export const microsoftGridSample = defineOp({
  domain: 'com.microsoft',
  name: 'GridSample',
  signature: 'X: T1, Grid: T2 -> Y: T1',
  types: { T1: onnx.types.T1 as typeof FLOATS, T2: FLOATS },
  attributes: onnx.attributes,
  infer: onnx.infer,
  decompose(c) {
    const { mode, padding_mode } = c.attributes;
    return mode.endsWith('cubic') && padding_mode === 'border' ? bordered(c) : asOnnx('GridSample')(c);
  },
});
