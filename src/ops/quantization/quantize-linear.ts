import type { Value } from '../../graph/graph.js';
import { tensorType } from '../../graph/types.js';
import { ELEMENTS, type ElementType, elementTypeOf } from '../../tensor/element-types.js';
import { numbersOf, tensorOf } from '../../tensor/numbers.js';
import { int } from '../attributes.js';
import { float32Scalar, intAttribute } from '../constants.js';
import { type Decomposition, defineOp, type Evaluation, type Inference } from '../definition.js';
import { FLOATS } from '../element-sets.js';
import { FORMULAS } from '../formulas.js';
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

type Attributes = QuantizationAttributes & { readonly saturate: number };

/** The type of the zero point, else the one asked for, else uint8. */
function quantizedType(c: Inference<Attributes>): ElementType {
  if (c.given(ZERO_POINT)) return c.element(ZERO_POINT);
  return (c.attributes.output_dtype && elementTypeOf(c.attributes.output_dtype)) || 'uint8';
}

/** Integers of 8 and 16 bits as a chain of elementwise operators. */
function decompose(c: Decomposition<Attributes>): Value[] | undefined {
  const type = quantizedType(c);
  const range = ELEMENTS[type].bits >= 8 ? RANGES[type] : undefined;
  if (!range || c.element(X) !== 'float32') return undefined;
  const scale = broadcastParameter(c, SCALE);
  const zeroPoint = c.given(ZERO_POINT) ? broadcastParameter(c, ZERO_POINT) : null;
  if (!scale || zeroPoint === undefined) return undefined;
  const [quotient] = c.emit('Div', [c.input(X), scale]) as [Value];
  const [rounded] = c.emit('Round', [quotient]) as [Value];
  const [moved] = zeroPoint ? (c.emit('Add', [rounded, zeroPoint]) as [Value]) : [rounded];
  const limits = range.map((limit) => c.constant(float32Scalar(limit)));
  const [clipped] = c.emit('Clip', [moved, ...limits]) as [Value];
  return c.emit('Cast', [clipped], { to: intAttribute(ELEMENTS[type].onnx) });
}

function evaluate(c: Evaluation<Attributes>) {
  const [x, scale] = [c.tensor(X), c.tensor(SCALE)];
  const type = quantizedType(c);
  const [low, high] = RANGES[type] ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const at = parameterIndex(c, x.dims, scale.dims);
  const scales = numbersOf(scale);
  const zeroPoints = c.given(ZERO_POINT) ? numbersOf(c.tensor(ZERO_POINT)) : undefined;
  const whole = type in RANGES;
  const y = Float64Array.from(numbersOf(x), (value, i) => {
    const entry = at(i);
    const quotient = Math.fround(value / (scales[entry] as number));
    if (!whole) return quotient;
    const rounded = FORMULAS.Round(quotient, 0, 0, 0, 0) + (zeroPoints?.[entry] ?? 0);
    return Math.min(Math.max(rounded, low), high);
  });
  return [tensorOf(type, x.dims, y, { saturate: c.attributes.saturate !== 0 })];
}

/** https://onnx.ai/onnx/operators/onnx__QuantizeLinear.html */
export const quantizeLinear = defineOp({
  name: 'QuantizeLinear',
  since: 10,
  signature: 'x: T1, y_scale: T2, y_zero_point?: T3 -> y: T3',
  types: {
    T1: [...FLOATS, 'int32'],
    T2: [...FLOATS, 'int32', 'float8e8m0'],
    T3: [...INTEGERS_QUANTIZED, ...FLOATS_QUANTIZED],
  },
  attributes: { axis: int(1), block_size: int(0), output_dtype: int(0), precision: int(0), saturate: int(1) },
  infer: (c) => [tensorType(quantizedType(c), c.dims(X))],
  decompose,
  evaluate,
});
