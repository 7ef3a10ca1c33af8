import { tensorType } from '../../../graph/types.js';
import { FORMULAS } from '../../../primitives/formulas.js';
import { int } from '../../../schema/attributes.js';
import { type Decomposition, defineOp, type Evaluation, type Inference } from '../../../schema/definition.js';
import { type ElementType, elementTypeOf, isInteger, rangeOf } from '../../../tensor/element-types.js';
import { numbersOf, tensorOf } from '../../../tensor/numbers.js';
import { elementCount, type TensorValue } from '../../../tensor/tensor-value.js';
import { arithmeticOn, castTo } from '../../emit.js';
import { eachWithScale, type GranularityAttributes, granularity, parameterIn } from './granularity.js';
import { quantized } from './quantized.js';

interface Attributes extends GranularityAttributes {
  readonly output_dtype: number;
  readonly precision: number;
  readonly saturate: number;
}

const [X, SCALE, ZERO_POINT] = [0, 1, 2];

function target(c: Inference<Attributes>): ElementType {
  const asked = elementTypeOf(c.attributes.output_dtype);
  const given = c.given(ZERO_POINT) ? c.element(ZERO_POINT) : undefined;
  if (asked && given && asked !== given)
    c.fail('INVALID_ATTRIBUTE', `output_dtype asks for ${asked}, but the zero point is ${given}`);
  return given ?? asked ?? 'uint8';
}

/** The type in which x is divided by its scale. */
function precision(c: Inference<Attributes>): ElementType {
  const asked = elementTypeOf(c.attributes.precision);
  const scale = c.element(SCALE);
  return asked ?? (['float16', 'bfloat16'].includes(scale) ? scale : 'float32');
}

function decompose(c: Decomposition<Attributes>) {
  const to = target(c);
  const within = precision(c);
  const place = granularity(c, c.dims(SCALE));
  const zeroPlace = c.given(ZERO_POINT) ? granularity(c, c.dims(ZERO_POINT)) : place;
  if (!place || !zeroPlace) return undefined;
  const x = c.element(X) === within ? c.input(X) : castTo(c, c.input(X), within);
  const divided = arithmeticOn(c, within)('Div', x, place(parameterIn(c, SCALE, within)));
  const scaled = within === 'float32' ? divided : castTo(c, divided, 'float32');
  if (!isInteger(to)) return [castTo(c, scaled, to, c.attributes.saturate)];
  const zeroPoint = c.given(ZERO_POINT) ? zeroPlace(parameterIn(c, ZERO_POINT, 'float32')) : null;
  return [quantized(c, scaled, zeroPoint, to)];
}

function evaluate(c: Evaluation<Attributes>): TensorValue[] {
  const [x, scale, to] = [c.tensor(X), c.tensor(SCALE), target(c)];
  const [values, scales] = [numbersOf(x), numbersOf(scale)];
  const quotients = new Float64Array(elementCount(x.dims));
  eachWithScale(c, x.dims, scale.dims, (i, s) => {
    quotients[i] = (values[i] as number) / (scales[s] as number);
  });
  const results = Float64Array.from(numbersOf(tensorOf(precision(c), x.dims, quotients)) as Float64Array);
  if (isInteger(to)) {
    const zeroPoints = c.given(ZERO_POINT) ? numbersOf(c.tensor(ZERO_POINT)) : [];
    const [least, largest] = rangeOf(to);
    eachWithScale(c, x.dims, c.given(ZERO_POINT) ? c.tensor(ZERO_POINT).dims : [], (i, s) => {
      const rounded = FORMULAS.Round(results[i] as number, 0, 0, 0, 0) + (zeroPoints[s] ?? 0);
      results[i] = Math.min(Math.max(rounded, least), largest);
    });
  }
  return [tensorOf(to, x.dims, results, { saturate: c.attributes.saturate !== 0 })];
}

/** https://onnx.ai/onnx/operators/onnx__QuantizeLinear.html */
export const quantizeLinear = defineOp({
  name: 'QuantizeLinear',
  since: 10,
  signature: 'x: T1, y_scale: T2, y_zero_point?: T3 -> y: T3',
  types: {
    T1: ['float32', 'float16', 'bfloat16', 'int32'],
    T2: ['float32', 'float16', 'bfloat16', 'int32', 'float8e8m0'],
    T3: [
      ...(['int8', 'uint8', 'int16', 'uint16', 'uint4', 'int4', 'uint2', 'int2'] as const),
      ...(['float8e4m3fn', 'float8e4m3fnuz', 'float8e5m2', 'float8e5m2fnuz', 'float4e2m1'] as const),
    ],
  },
  halves: 'as they are',
  attributes: { axis: int(1), block_size: int(0), output_dtype: int(0), precision: int(0), saturate: int(1) },
  infer: (c) => [tensorType(target(c), c.dims(X))],
  decompose,
  evaluate,
});
