import { account } from '../account.js';
import { areDecided, differ } from '../graph/guards.js';
import { formatSize, formatSizes, isKnown, maximum, modulo, product } from '../graph/sizes.js';
import { tensorType } from '../graph/types.js';
import { int } from '../schema/attributes.js';
import { by, defineOp, type Inference, type Primitive } from '../schema/definition.js';
import { requireDims } from '../schema/shapes.js';
import { numbersOf, tensorOf } from '../tensor/numbers.js';
import { elementCount, integers } from '../tensor/tensor-value.js';
import {
  B,
  dequantizer,
  NBIT_TYPES,
  type NBitAttributes,
  type NBitMatrix,
  SCALES,
  SHARED_BLOCK,
  ZERO_POINTS,
} from './n-bit-blocks.js';

export const [A, BIAS, CHOICES] = [0, 4, 5];

/** The matrices of all experts side by side: `n` counts the columns of all. */
export interface NBitExpertsParameters extends NBitMatrix {
  /** Columns of one expert. */
  readonly columns: number;
}

/** Multiplies each row of A by the matrices of the experts that it chooses. */
export const nBitExperts: Primitive<NBitExpertsParameters> = {
  name: 'n-bit-experts',
  facts: {
    multiplyAdds: (c, { k, columns }) => elementCount(c.dims(CHOICES) as number[]) * k * columns,
  },
  reference(c, p) {
    const { dims, element } = c.result(0);
    const a = numbersOf(c.tensor(A));
    const choices = integers(c.tensor(CHOICES));
    const perRow = choices.length / (c.tensor(A).dims[0] as number);
    const bias = c.given(BIAS) ? numbersOf(c.tensor(BIAS)) : undefined;
    const zeros = c.given(ZERO_POINTS) ? c.tensor(ZERO_POINTS) : undefined;
    const dequantize = dequantizer({ codes: c.tensor(B), scales: c.tensor(SCALES), zeros }, p);
    const column = new Float64Array(p.k);
    const y = new Float64Array(choices.length * p.columns);
    for (const expert of new Set(choices)) {
      for (let n = 0; n < p.columns; n++) {
        const at = expert * p.columns + n;
        account()?.spend(p.k * (choices.length + 1));
        dequantize({ codes: at, scales: at, zeros: at }, column);
        for (const [row, choice] of choices.entries()) {
          if (choice !== expert) continue;
          const from = Math.floor(row / perRow) * p.k;
          let sum = bias?.[at] ?? 0;
          for (let k = 0; k < p.k; k++) sum += (a[from + k] as number) * (column[k] as number);
          y[row * p.columns + n] = sum;
        }
      }
    }
    return [tensorOf(element, dims, y)];
  },
};

/** Columns per panel. The columns of an expert begin with a panel. */
export const EXPERT_COLUMNS = 8;

function check(c: Inference<NBitAttributes>): void {
  const { K: k, N: n, bits, block_size: block } = c.attributes;
  const experts = c.dims(B)?.[0];
  const blocks = Math.ceil(k / block);
  const inBytes = (count: number) => Math.ceil((count * bits) / 8);
  if (n % EXPERT_COLUMNS !== 0) c.fail('INVALID_ATTRIBUTE', `N must be a multiple of ${EXPERT_COLUMNS}, not ${n}`);
  if (block % 16 !== 0) c.fail('INVALID_ATTRIBUTE', `block_size must be 0 or a multiple of 16, not ${block}`);
  requireDims(c, A, [c.dims(A)?.[0], k]);
  const [rows, choices] = [c.dims(A)?.[0], c.dims(CHOICES)];
  if (rows !== undefined && choices && differ(modulo(product(choices), maximum(rows, 1)), 0))
    c.fail(
      'INVALID_SHAPE',
      `the choices [${formatSizes(choices)}] must be as many for each of ${formatSize(rows)} rows`,
    );
  requireDims(c, B, [experts, n, inBytes(k)]);
  requireDims(c, SCALES, block ? [experts, n, blocks] : [experts, n]);
  requireDims(c, BIAS, [experts, n]);
  if (!c.given(ZERO_POINTS)) return;
  requireDims(c, ZERO_POINTS, areByRows(c) ? [experts, inBytes(n)] : [experts, n, inBytes(blocks)]);
}

/** Whether there is one zero point per column, packed along columns, instead of one per block. */
const areByRows = (c: Inference<unknown>): boolean => c.dims(ZERO_POINTS)?.length === 2;

function parametersOf(c: Inference<NBitAttributes>): NBitExpertsParameters {
  const { K: k, N: columns, bits, block_size } = c.attributes;
  const block = block_size || SHARED_BLOCK;
  const blocks = Math.ceil(k / block);
  const isByRows = c.given(ZERO_POINTS) && areByRows(c);
  return {
    ...{ k, n: (c.dims(B)?.[0] as number) * columns, columns, bits, block, blocks },
    codes: { row: bits, column: k * bits, isSigned: false, first: 'lowest' },
    scales: block_size ? { block: 1, column: blocks } : { block: 0, column: 1 },
    zeroPoints: isByRows ? { block: 0, column: bits } : { block: bits, column: 8 * Math.ceil((blocks * bits) / 8) },
    zeroPoint: 2 ** (bits - 1),
  };
}

/**
 * A [rows, K] by matrices [experts, N, K] of `bits`, as in a layer of QMoE. Row r of Y is the product of row r / (choices per row) of A and
 * the expert of choice r.
 */
export const nBitExpertsOperator = defineOp({
  domain: 'sardonyx',
  name: 'ExpertMatMulNBits',
  signature: 'A: T, B: Q, scales: S, zero_points?: Q, bias?: T, choices: I -> Y: T',
  types: { T: ['float32'], Q: ['uint8'], S: NBIT_TYPES.S, I: ['int64'] },
  halves: 'carried',
  attributes: { K: int.required, N: int.required, bits: int(4), block_size: int(0) },
  guarded: true,
  infer(c) {
    check(c);
    const choices = c.dims(CHOICES);
    return [tensorType(c.element(A), choices && [product(choices), c.attributes.N])];
  },
  computes: by(nBitExperts, (c: Inference<NBitAttributes>) =>
    [A, CHOICES].every((i) => areDecided(c.dims(i))) && isKnown(c.dims(B)) ? parametersOf(c) : undefined,
  ),
});
