import { broadcastStrides } from '../graph/dims.js';
import { differ } from '../graph/guards.js';
import { formatSizes, product } from '../graph/sizes.js';
import { type TensorType, tensorType } from '../graph/types.js';
import type { Evaluation, Inference } from '../schema/definition.js';
import type { ElementType } from '../tensor/element-types.js';
import { numbersOf } from '../tensor/numbers.js';
import { aboutAxis } from '../tensor/rows.js';
import { evaluateStrided } from '../tensor/strided.js';
import { elementCount, type TensorValue } from '../tensor/tensor-value.js';
import { type Along, along } from './along.js';

/** Rows consist of all axes from `axis` on. */
export interface RowNormParameters extends Along {
  /** Added to the variance or mean square. */
  readonly epsilon: number;
}

export const rowNormOf = (c: Inference<RowNormParameters>): RowNormParameters | undefined => {
  const at = along(c);
  return at && { ...at, epsilon: c.attributes.epsilon };
};

/** Checks that scale (input 1) and bias (input 2), if present, are one row. Kernels rely on this. */
export function requireRows(c: Inference<RowNormParameters>): void {
  const [dims, at] = [c.dims(0), along(c)];
  if (!dims || !at) return;
  const row = dims.slice(at.axis);
  for (const i of [1, 2]) {
    const own = c.given(i) ? c.dims(i) : undefined;
    if (own && differ(product(own), product(row)))
      c.fail('INVALID_SHAPE', `input ${i} of [${formatSizes(own)}] must be one row of [${formatSizes(row)}]`);
  }
}

/** x as [rows, length]. */
export function rowsOf(dims: readonly number[], axis: number): { rows: number; length: number } {
  const { outer, length } = aboutAxis(dims, axis, dims.length - axis);
  return { rows: outer, length };
}

/** The type of a statistic of each row: 1 along the normalized axes. */
export function statistics(c: Inference<RowNormParameters>, element: ElementType): TensorType {
  const at = along(c);
  return tensorType(element, at && c.dims(0)?.map((d, i) => (i < at.axis ? d : 1)));
}

interface Normalized {
  readonly y: Float64Array;
  readonly means: Float64Array;
  readonly inverses: Float64Array;
}

/** Normalizes the rows of operand 0 to variance 1, and mean 0 if `centered`, times scale (operand 1) plus bias (operand 2). */
export function normalizeRows(
  c: Evaluation<unknown>,
  { axis, epsilon }: RowNormParameters,
  centered: boolean,
): Normalized {
  const x = c.tensor(0);
  const { rows, length } = rowsOf(x.dims, axis);
  const normalized = normalize(numbersOf(x), rows, length, epsilon, centered);
  const [scale, bias] = [1, 2].map((i) => (c.given(i) ? spread(c.tensor(i), x.dims, axis) : undefined));
  normalized.y.forEach((value, i, y) => {
    const scaled = scale ? value * (scale[i % scale.length] as number) : value;
    y[i] = bias ? scaled + (bias[i % bias.length] as number) : scaled;
  });
  return normalized;
}

/** Normalizes in double precision, without scale and bias. */
function normalize(x: ArrayLike<number>, rows: number, length: number, epsilon: number, centered: boolean): Normalized {
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

/** Scale or bias of one row, or of all rows of x. */
function spread(own: TensorValue, dims: readonly number[], axis: number): ArrayLike<number> {
  if (isRow(own.dims, dims.slice(axis))) return numbersOf(own);
  return numbersOf(evaluateStrided(own, dims, broadcastStrides(own.dims, dims), 0));
}

const withoutLeadingOnes = (dims: readonly number[]) => dims.slice(dims.findIndex((d) => d !== 1));

/** Whether a scale or bias of `own` dims is one row over the normalized axes, of dims `row`. */
export const isRow = (own: readonly number[], row: readonly number[]): boolean =>
  (own.length === 1 && own[0] === elementCount(row)) ||
  String(withoutLeadingOnes(own)) === String(withoutLeadingOnes(row));
