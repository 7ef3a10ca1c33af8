import type { Value } from '../../../graph/graph.js';
import { tensorType } from '../../../graph/types.js';
import { int } from '../../../schema/attributes.js';
import { type Decomposition, defineOp, type Evaluation, type Inference } from '../../../schema/definition.js';
import { type ElementType, elementTypeOf } from '../../../tensor/element-types.js';
import { numbersOf, tensorOf } from '../../../tensor/numbers.js';
import { arrayOf, bytesOf, StoredTensor } from '../../../tensor/stored-tensor.js';
import { elementCount, type TensorValue } from '../../../tensor/tensor-value.js';
import { arithmeticOn, castTo } from '../../emit.js';
import { checkFit, eachWithScale, type GranularityAttributes, granularity, parameterIn } from './granularity.js';

interface Attributes extends GranularityAttributes {
  readonly output_dtype: number;
}

const [X, SCALE, ZERO_POINT] = [0, 1, 2];

function target(c: Inference<Attributes>): ElementType {
  const scale = c.element(SCALE);
  return elementTypeOf(c.attributes.output_dtype) ?? (scale === 'float8e8m0' ? 'float32' : scale);
}

/** Elements minus their zero points, in float32. int32 is subtracted first, since float32 cannot hold all its values. */
function distance(c: Decomposition<Attributes>, zeroPlace: (value: Value) => Value): Value {
  if (!c.given(ZERO_POINT)) return castTo(c, c.input(X), 'float32');
  const element = c.element(X) === 'int32' ? 'int32' : 'float32';
  const x = element === 'int32' ? c.input(X) : castTo(c, c.input(X), element);
  const moved = arithmeticOn(c, element)('Sub', x, zeroPlace(parameterIn(c, ZERO_POINT, element)));
  return element === 'int32' ? castTo(c, moved, 'float32') : moved;
}

function decompose(c: Decomposition<Attributes>) {
  const place = granularity(c, c.dims(SCALE));
  const zeroPlace = c.given(ZERO_POINT) ? granularity(c, c.dims(ZERO_POINT)) : place;
  if (!place || !zeroPlace) return undefined;
  const f = arithmeticOn(c, 'float32');
  const moved = distance(c, zeroPlace);
  const y = f('Mul', moved, place(parameterIn(c, SCALE, 'float32')));
  return [target(c) === 'float32' ? y : castTo(c, y, target(c))];
}

/** Tensors with fewer elements are dequantized at once: their floats take little memory. */
const LEAST_ELEMENTS = 1 << 12;

/** Returns a function that dequantizes `x` with the current scales and zero points. */
function dequantizing(c: Evaluation<Attributes>): (x: TensorValue) => Float32Array {
  const scale = c.tensor(SCALE);
  const scales = numbersOf(scale);
  const zeroPoint = c.given(ZERO_POINT) ? c.tensor(ZERO_POINT) : undefined;
  const zeroPoints = zeroPoint && numbersOf(zeroPoint);
  return (x) => {
    const numbers = numbersOf(x);
    const results = new Float32Array(numbers);
    const within = x.type === 'int32' ? (distance: number) => distance | 0 : (distance: number) => distance;
    if (zeroPoint && zeroPoints)
      eachWithScale(c, x.dims, zeroPoint.dims, (i, s) => {
        results[i] = within((numbers[i] as number) - (zeroPoints[s] as number));
      });
    eachWithScale(c, x.dims, scale.dims, (i, s) => {
      results[i] = (results[i] as number) * (scales[s] as number);
    });
    return results;
  };
}

/** Keeps stored integers and dequantizes them only when they are read. */
function evaluate(c: Evaluation<Attributes>): TensorValue[] {
  const x = c.tensor(X);
  const dequantize = dequantizing(c);
  if (!(x instanceof StoredTensor) || target(c) !== 'float32' || elementCount(x.dims) < LEAST_ELEMENTS)
    return [tensorOf(target(c), x.dims, dequantize(x))];
  for (const i of [SCALE, ZERO_POINT]) if (c.given(i)) checkFit(c, x.dims, c.tensor(i).dims);
  // Uses the tensor's source: its bytes may be released after its other readers have read them.
  const kept = new StoredTensor(x.type, x.dims, x.source);
  const integers = () => ({ type: x.type, dims: x.dims, data: arrayOf(x.type, kept.readBytes()) }) as TensorValue;
  return [
    new StoredTensor('float32', x.dims, () => bytesOf(tensorOf('float32', x.dims, dequantize(integers()))), kept),
  ];
}

/** https://onnx.ai/onnx/operators/onnx__DequantizeLinear.html */
export const dequantizeLinear = defineOp({
  name: 'DequantizeLinear',
  since: 10,
  signature: 'x: T1, x_scale: T2, x_zero_point?: T1 -> y: T3',
  types: {
    T1: [
      ...(['int8', 'uint8', 'int16', 'uint16', 'int32', 'uint4', 'int4', 'uint2', 'int2'] as const),
      ...(['float8e4m3fn', 'float8e4m3fnuz', 'float8e5m2', 'float8e5m2fnuz', 'float4e2m1'] as const),
    ],
    T2: ['float32', 'float16', 'bfloat16', 'float8e8m0'],
    T3: ['float32', 'float16', 'bfloat16'],
  },
  attributes: { axis: int(1), block_size: int(0), output_dtype: int(0) },
  unpacks: true,
  infer: (c) => [tensorType(target(c), c.dims(X))],
  decompose,
  evaluate,
});
