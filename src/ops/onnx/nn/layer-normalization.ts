import { broadcastStrides, isKnown, product } from '../../../graph/dims.js';
import type { Attribute, Value } from '../../../graph/graph.js';
import { type Dim, type TensorType, tensorType } from '../../../graph/types.js';
import { float, int } from '../../../schema/attributes.js';
import { type Decomposition, defineOp, type Evaluation, type Inference } from '../../../schema/definition.js';
import { FLOATS } from '../../../schema/element-sets.js';
import { axisOf, like, requireSpreading } from '../../../schema/shapes.js';
import { type ElementType, elementTypeOf } from '../../../tensor/element-types.js';
import { numbersOf, tensorOf } from '../../../tensor/numbers.js';
import { evaluateStrided } from '../../../tensor/strided.js';
import { elementCount, type TensorValue } from '../../../tensor/tensor-value.js';
import { throughFloat32 } from '../../through-float32.js';

export interface NormAttributes {
  readonly axis: number;
  readonly epsilon: number;
  readonly stash_type?: number;
}

const attributes = { axis: int(-1), epsilon: float(1e-5), stash_type: int(1) };

/** Dims of mean and inverse standard deviation: 1 along the normalized axes. */
function statisticsDims(c: Inference<NormAttributes>): Dim[] | undefined {
  const dims = c.dims(0);
  if (!dims) return undefined;
  const axis = axisOf(c, c.attributes.axis, dims.length);
  return dims.map((d, i) => (i < axis ? d : 1));
}

/** x as [rows, length]. */
export function rowsOf(c: Inference<NormAttributes>, dims: readonly number[]): { rows: number; length: number } {
  const axis = axisOf(c, c.attributes.axis, dims.length);
  return { rows: elementCount(dims.slice(0, axis)), length: elementCount(dims.slice(axis)) };
}

/** [y, mean, inverse standard deviation] in double precision, unscaled. */
function normalize(x: ArrayLike<number>, rows: number, length: number, epsilon: number, centered: boolean) {
  const y = new Float64Array(rows * length);
  const means = new Float64Array(rows);
  const inverses = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    const at = row * length;
    let sum = 0;
    for (let i = 0; i < length; i++) sum += x[at + i] as number;
    const mean = centered ? sum / length : 0;
    let squares = 0;
    for (let i = 0; i < length; i++) squares += ((x[at + i] as number) - mean) ** 2;
    const inverse = 1 / Math.sqrt(squares / length + epsilon);
    for (let i = 0; i < length; i++) y[at + i] = ((x[at + i] as number) - mean) * inverse;
    means[row] = mean;
    inverses[row] = inverse;
  }
  return { y, means, inverses };
}

/** Scale or bias of one row, or of as many as x has. */
function spread(c: Inference<NormAttributes>, own: TensorValue, dims: readonly number[]): ArrayLike<number> {
  if (isRow(own.dims, dims.slice(axisOf(c, c.attributes.axis, dims.length)))) return numbersOf(own);
  return numbersOf(evaluateStrided(own, dims, broadcastStrides(own.dims, dims), 0));
}

function evaluateNorm(c: Evaluation<NormAttributes>, centered: boolean): TensorValue[] {
  const x = c.tensor(0);
  const { rows, length } = rowsOf(c, x.dims);
  const { y, means, inverses } = normalize(numbersOf(x), rows, length, c.attributes.epsilon, centered);
  const [scale, bias] = [1, 2].map((i) => (c.given(i) ? spread(c, c.tensor(i), x.dims) : [2 - i]));
  y.forEach((value, i) => {
    y[i] = value * (scale?.[i % scale.length] as number) + (bias?.[i % bias.length] as number);
  });
  const dims = statisticsDims(c) as number[];
  const stash = stashElement(c);
  return [
    tensorOf(c.element(centered ? 0 : 1), x.dims, y),
    ...(centered ? [tensorOf(stash, dims, means)] : []),
    tensorOf(stash, dims, inverses),
  ];
}

export const stashElement = (c: Inference<NormAttributes>): ElementType =>
  elementTypeOf(c.attributes.stash_type ?? 1) ?? 'float32';

const withoutLeadingOnes = (dims: readonly number[]) => dims.slice(dims.findIndex((d) => d !== 1));

/** Whether scale or bias of `own` dims is one row of numbers for the normalized axes, of dims `row`. */
const isRow = (own: readonly number[], row: readonly number[]): boolean =>
  (own.length === 1 && own[0] === elementCount(row)) ||
  String(withoutLeadingOnes(own)) === String(withoutLeadingOnes(row));

/** Checks that scale and bias spread over x. */
function checkAffine(c: Inference<NormAttributes>): void {
  const dims = c.dims(0);
  const row = dims && product(dims.slice(axisOf(c, c.attributes.axis, dims.length)));
  for (const i of [1, 2])
    if (!(c.given(i) && c.dims(i)?.length === 1 && c.dims(i)?.[0] === row)) requireSpreading(c, i, dims);
}

/** Scale or bias that is not one row of numbers is applied by operators of its own. */
function applySeparately(c: Decomposition<NormAttributes>, operator: string): Value[] | undefined {
  const dims = c.dims(0);
  if (!dims) return undefined;
  const row = dims.slice(axisOf(c, c.attributes.axis, dims.length));
  const fits = [1, 2].every((i) => {
    const own = c.given(i) ? c.dims(i) : undefined;
    return !isKnown(own) || !isKnown(row) || isRow(own, row);
  });
  if (fits) return undefined;
  const { stash_type, ...rest } = c.node.attributes as Record<string, Attribute>;
  const [normal, ...statistics] = c.emit(operator, [c.input(0)], rest, c.outputCount) as [Value];
  const [scaled] = c.emit('Mul', [normal, c.input(1)]) as [Value];
  return [c.given(2) ? (c.emit('Add', [scaled, c.input(2)])[0] as Value) : scaled, ...statistics];
}

const statistics = (c: Inference<NormAttributes>): TensorType => tensorType(stashElement(c), statisticsDims(c));

/** https://onnx.ai/onnx/operators/onnx__LayerNormalization.html */
export const layerNormalization = defineOp({
  name: 'LayerNormalization',
  since: 1,
  signature: 'X: T, Scale: T, B?: T -> Y: T, Mean?: U, InvStdDev?: U',
  types: { T: FLOATS },
  attributes,
  infer(c) {
    checkAffine(c);
    return [like(c, 0, c.dims(0)), statistics(c), statistics(c)];
  },
  decompose: (c) =>
    throughFloat32(c, [c.element(0), stashElement(c), stashElement(c)]) ??
    (c.element(0) === 'float32' ? applySeparately(c, 'sardonyx:LayerNormalization') : undefined),
  evaluate: (c) => evaluateNorm(c, true),
});

/** Layer normalization whose scale and bias may both be left out. */
export const plainLayerNormalization = defineOp({
  domain: 'sardonyx',
  name: 'LayerNormalization',
  signature: 'X: T, scale?: T, bias?: T -> Y: T, mean?: T, inverseStd?: T',
  types: { T: ['float32', 'float64'] },
  attributes: { axis: int(-1), epsilon: float(1e-5) },
  infer: (c) => [like(c, 0, c.dims(0)), statistics(c), statistics(c)],
  evaluate: (c) => evaluateNorm(c, true),
});

/** https://onnx.ai/onnx/operators/onnx__RMSNormalization.html */
export const rmsNormalization = defineOp({
  name: 'RMSNormalization',
  since: 23,
  signature: 'X: T, scale: V -> Y: V',
  types: { T: FLOATS, V: FLOATS },
  attributes,
  infer(c) {
    checkAffine(c);
    return [like(c, 1, c.dims(0))];
  },
  decompose: (c) =>
    throughFloat32(c, [c.element(1)]) ??
    (c.element(0) === 'float32' ? applySeparately(c, 'sardonyx:RMSNormalization') : undefined),
  evaluate: (c) => evaluateNorm(c, false).slice(0, 1),
});

/** RMS normalization with optional scale. */
export const plainRmsNormalization = defineOp({
  domain: 'sardonyx',
  name: 'RMSNormalization',
  signature: 'X: T, scale?: T -> Y: T, inverseStd?: T',
  types: { T: ['float32'] },
  attributes: { axis: int(-1), epsilon: float(1e-5) },
  infer: (c) => [like(c, 0, c.dims(0)), statistics(c)],
});

/** RMS normalization under the name that exporters gave it in ONNX's domain before opset 23. */
export const simplifiedLayerNormalization = defineOp({
  name: 'SimplifiedLayerNormalization',
  signature: 'X: T, scale: V -> Y: V, inv_std_var?: U',
  types: { T: FLOATS, V: FLOATS },
  attributes,
  infer(c) {
    checkAffine(c);
    return [like(c, 1, c.dims(0)), statistics(c)];
  },
  decompose: (c) =>
    throughFloat32(c, [c.element(1), stashElement(c)]) ??
    (c.element(0) === 'float32' ? applySeparately(c, 'sardonyx:RMSNormalization') : undefined),
  evaluate: (c) => evaluateNorm(c, false),
});
