import { intAttribute } from '../../graph/attributes.js';
import type { Value } from '../../graph/graph.js';
import { int } from '../../schema/attributes.js';
import { type Decomposition, defineOp, type Inference } from '../../schema/definition.js';
import { axisOf, sameAsInput } from '../../schema/shapes.js';
import { arithmeticOn, emitOne } from '../emit.js';
import { reshapeLike } from '../emit-shapes.js';
import { quantized } from '../onnx/quantization/quantized.js';
import { BYTES, distances, levelsAt, requireOneLevel, scalarAt } from './quantized-operands.js';

const [X, X_SCALE, Y_SCALE] = [0, 1, 3];

interface Attributes {
  readonly axis: number;
  readonly opset: number;
}

/** Before opset 13, Softmax flattens all axes from `axis` on. */
const isFlat = (c: Inference<Attributes>) => c.attributes.opset < 13;

function softmax(c: Decomposition<Attributes>, x: Value, rank: number): Value {
  const axis = intAttribute(axisOf(c, c.attributes.axis, rank));
  if (!isFlat(c)) return emitOne(c, 'Softmax', [x], { axis });
  return reshapeLike(c, emitOne(c, 'Softmax', [emitOne(c, 'Flatten', [x], { axis })]), x);
}

/**
 * https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.QLinearSoftmax; 1 equals ⌊1 / y_scale⌋
 * quantization steps.
 */
export const qLinearSoftmax = defineOp({
  domain: 'com.microsoft',
  name: 'QLinearSoftmax',
  signature: 'X: T, X_scale: float32, x_zero_point?: T, y_scale: float32, y_zero_point: T -> Y: T',
  types: { T: BYTES },
  attributes: { axis: int(-1), opset: int.required },
  infer(c) {
    requireOneLevel(c, X_SCALE, Y_SCALE);
    const rank = c.dims(X)?.length;
    if (rank !== undefined) axisOf(c, c.attributes.axis, rank);
    return sameAsInput(c);
  },
  decompose(c) {
    const rank = c.dims(X)?.length;
    if (rank === undefined) return undefined;
    const f = arithmeticOn(c, 'float32');
    const x = f('Mul', distances(c, c.input(X), levelsAt(c, X_SCALE)), scalarAt(c, X_SCALE));
    const steps = emitOne(c, 'Floor', [f('Div', 1, scalarAt(c, Y_SCALE))]);
    const { zeroPoint } = levelsAt(c, Y_SCALE);
    return [quantized(c, f('Mul', softmax(c, x, rank), steps), zeroPoint, c.element(X))];
  },
});
