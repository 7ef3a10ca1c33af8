import { floatAttribute } from '../../graph/attributes.js';
import type { Attribute, Value } from '../../graph/graph.js';
import { type AttributeSpecs, float } from '../../schema/attributes.js';
import { defineOp } from '../../schema/definition.js';
import { sameAsInput } from '../../schema/shapes.js';
import { emitOne } from '../emit.js';
import { BYTES, dequantizedFrom, levelsAt, quantizedTo, requireOneLevel, throughTable } from './quantized-operands.js';

const [X, X_SCALE, Y_SCALE] = [0, 1, 3];

/** Defines the quantized version of ONNX's activation `op`. */
const activation = (
  name: string,
  op: string,
  attributes: AttributeSpecs = {},
  own: (given: Readonly<Record<string, unknown>>) => Record<string, Attribute> = () => ({}),
) =>
  defineOp({
    domain: 'com.microsoft',
    name,
    signature: 'X: T, X_scale: float32, X_zero_point?: T, Y_scale: float32, Y_zero_point?: T -> Y: T',
    types: { T: BYTES },
    attributes,
    infer(c) {
      requireOneLevel(c, X_SCALE, Y_SCALE);
      return sameAsInput(c);
    },
    decompose(c) {
      const [x, y] = [levelsAt(c, X_SCALE), levelsAt(c, Y_SCALE)];
      const activated = (bytes: Value) => emitOne(c, op, [dequantizedFrom(c, bytes, x)], own(c.attributes));
      return [throughTable(c, X, Y_SCALE, (bytes) => quantizedTo(c, activated(bytes), y, c.element(X)))];
    },
  });

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.QLinearLeakyRelu */
export const qLinearLeakyRelu = activation('QLinearLeakyRelu', 'LeakyRelu', { alpha: float(0.01) }, ({ alpha }) => ({
  alpha: floatAttribute(alpha as number),
}));
/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.QLinearSigmoid */
export const qLinearSigmoid = activation('QLinearSigmoid', 'Sigmoid');
