import type { Value } from '../../graph/graph.js';
import { tensorType } from '../../graph/types.js';
import { ELEMENTS, type ElementType, elementTypeOf } from '../../tensor/element-types.js';
import { numbersOf, tensorOf } from '../../tensor/numbers.js';
import { int } from '../attributes.js';
import { intAttribute } from '../constants.js';
import { type Decomposition, defineOp, type Inference } from '../definition.js';
import { FLOATS } from '../element-sets.js';
import {
  broadcastParameter,
  FLOATS_QUANTIZED,
  INTEGERS_QUANTIZED,
  parameterIndex,
  type QuantizationAttributes,
  RANGES,
  SCALE,
  X,
  ZERO_POINT,
} from './parameters.js';

const resultType = (c: Inference<QuantizationAttributes>): ElementType =>
  (c.attributes.output_dtype && elementTypeOf(c.attributes.output_dtype)) || c.element(SCALE);

/** Integers of 8 bits and more as a chain of elementwise operators. */
function decompose(c: Decomposition<QuantizationAttributes>): Value[] | undefined {
  const type = c.element(X);
  const serves = (type in RANGES && ELEMENTS[type].bits >= 8) || type === 'int32';
  if (!serves || c.element(SCALE) !== 'float32' || resultType(c) !== 'float32') return undefined;
  const scale = broadcastParameter(c, SCALE);
  const zeroPoint = c.given(ZERO_POINT) ? broadcastParameter(c, ZERO_POINT) : null;
  if (!scale || zeroPoint === undefined) return undefined;
  const [x] = c.emit('Cast', [c.input(X)], { to: intAttribute(ELEMENTS.float32.onnx) }) as [Value];
  const [moved] = zeroPoint ? (c.emit('Sub', [x, zeroPoint]) as [Value]) : [x];
  return c.emit('Mul', [moved, scale]);
}

/** https://onnx.ai/onnx/operators/onnx__DequantizeLinear.html */
export const dequantizeLinear = defineOp({
  name: 'DequantizeLinear',
  since: 10,
  signature: 'x: T1, x_scale: T2, x_zero_point?: T1 -> y: T3',
  types: {
    T1: [...INTEGERS_QUANTIZED, 'int32', ...FLOATS_QUANTIZED],
    T2: [...FLOATS, 'float8e8m0'],
  },
  attributes: { axis: int(1), block_size: int(0), output_dtype: int(0) },
  infer: (c) => [tensorType(resultType(c), c.dims(X))],
  decompose,
  evaluate(c) {
    const [x, scale] = [c.tensor(X), c.tensor(SCALE)];
    const at = parameterIndex(c, x.dims, scale.dims);
    const scales = numbersOf(scale);
    const zeroPoints = c.given(ZERO_POINT) ? numbersOf(c.tensor(ZERO_POINT)) : undefined;
    const y = Float64Array.from(numbersOf(x), (value, i) => {
      const entry = at(i);
      return (value - (zeroPoints?.[entry] ?? 0)) * (scales[entry] as number);
    });
    return [tensorOf(resultType(c), x.dims, y)];
  },
});
