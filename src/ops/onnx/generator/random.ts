import { tensorType } from '../../../graph/types.js';
import { float, int, ints } from '../../../schema/attributes.js';
import { defineOp, type Inference } from '../../../schema/definition.js';
import { ANY, FLOATS } from '../../../schema/element-sets.js';
import type { ElementType } from '../../../tensor/element-types.js';
import { fromBfloat16, fromFloat16, toBfloat16, toFloat16 } from '../../../tensor/half.js';
import { tensorOf } from '../../../tensor/numbers.js';
import { elementCount, type TensorValue } from '../../../tensor/tensor-value.js';
import { elementNamed, elementNamedOrLike } from './dtype.js';
import { keyOf, philox, uniforms } from './philox.js';
import { normalQuantile } from './portable-math.js';

/** Significant bits, including the leading one: multiples of 2⁻ᵇⁱᵗˢ in [0, 1) are exact. */
const PRECISION: Partial<Record<ElementType, { readonly bits: number; readonly round: (x: number) => number }>> = {
  float32: { bits: 24, round: Math.fround },
  float16: { bits: 11, round: (x) => fromFloat16(toFloat16(x)) },
  bfloat16: { bits: 8, round: (x) => fromBfloat16(toBfloat16(x)) },
};

interface Range {
  readonly low: number;
  readonly high: number;
  readonly seed: number | undefined;
}

/** Uniform in [low, high), even if rounding to the element type would give `high`. */
function drawUniform(element: ElementType, dims: readonly number[], { low, high, seed }: Range): TensorValue {
  const count = elementCount(dims);
  const precision = PRECISION[element];
  const place = (u: number) => {
    const x = (precision?.round ?? Number)(low + u * (high - low));
    return x < high ? x : low;
  };
  const draws: ArrayLike<number> = precision
    ? Float64Array.from(philox(keyOf(seed), count), (word) => (word >>> (32 - precision.bits)) / 2 ** precision.bits)
    : uniforms(keyOf(seed), count);
  return tensorOf(element, dims, Float64Array.from(draws, place));
}

interface Normal {
  readonly mean: number;
  readonly scale: number;
  readonly seed: number | undefined;
}

/** Normal, by the quantile function at the middle of one of 2⁵² equal intervals. */
function drawNormal(element: ElementType, dims: readonly number[], { mean, scale, seed }: Normal): TensorValue {
  const draws = uniforms(keyOf(seed), elementCount(dims));
  const middle = (u: number) => (Math.floor(u * 2 ** 52) + 0.5) / 2 ** 52;
  return tensorOf(
    element,
    dims,
    draws.map((u) => mean + scale * normalQuantile(middle(u))),
  );
}

const uniform = { low: float(0), high: float(1), seed: float() };
const normal = { mean: float(0), scale: float(1), seed: float() };
const shaped = { dtype: int(1), shape: ints.required };
const typed = { dtype: int() };

type Typed = Inference<{ readonly dtype: number | undefined }>;
type Shaped = Inference<{ readonly dtype: number; readonly shape: readonly number[] }>;

function shapeOf(c: Shaped): readonly number[] {
  const { shape } = c.attributes;
  return shape.every((d) => d >= 0) ? shape : c.fail('INVALID_ATTRIBUTE', `the shape [${shape}] has a negative size`);
}

const shapedType = (c: Shaped) => [tensorType(elementNamed(c, c.attributes.dtype, FLOATS), shapeOf(c))];
const likeType = (c: Typed) => [tensorType(elementNamedOrLike(c, FLOATS), c.dims(0))];

/** https://onnx.ai/onnx/operators/onnx__RandomUniform.html; reproducible with a seed, otherwise different in every run. */
export const randomUniform = defineOp({
  name: 'RandomUniform',
  signature: '-> output: T',
  types: { T: FLOATS },
  deterministic: false,
  attributes: { ...uniform, ...shaped },
  infer: shapedType,
  evaluate: (c) => [drawUniform(elementNamed(c, c.attributes.dtype, FLOATS), shapeOf(c), c.attributes)],
});

/** https://onnx.ai/onnx/operators/onnx__RandomNormal.html */
export const randomNormal = defineOp({
  name: 'RandomNormal',
  signature: '-> output: T',
  types: { T: FLOATS },
  deterministic: false,
  attributes: { ...normal, ...shaped },
  infer: shapedType,
  evaluate: (c) => [drawNormal(elementNamed(c, c.attributes.dtype, FLOATS), shapeOf(c), c.attributes)],
});

/** https://onnx.ai/onnx/operators/onnx__RandomUniformLike.html */
export const randomUniformLike = defineOp({
  name: 'RandomUniformLike',
  signature: 'input: T1 -> output: T2',
  types: { T1: ANY, T2: FLOATS },
  halves: 'carried',
  deterministic: false,
  attributes: { ...uniform, ...typed },
  infer: likeType,
  evaluate: (c) => [drawUniform(elementNamedOrLike(c, FLOATS), c.tensor(0).dims, c.attributes)],
});

/** https://onnx.ai/onnx/operators/onnx__RandomNormalLike.html */
export const randomNormalLike = defineOp({
  name: 'RandomNormalLike',
  signature: 'input: T1 -> output: T2',
  types: { T1: ANY, T2: FLOATS },
  halves: 'carried',
  deterministic: false,
  attributes: { ...normal, ...typed },
  infer: likeType,
  evaluate: (c) => [drawNormal(elementNamedOrLike(c, FLOATS), c.tensor(0).dims, c.attributes)],
});
