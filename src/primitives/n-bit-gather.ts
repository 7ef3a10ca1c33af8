import { tensorType } from '../graph/types.js';
import { int, oneOf } from '../schema/attributes.js';
import { by, defineOp, type Inference, type Primitive } from '../schema/definition.js';
import { INDICES as INDEX_TYPES } from '../schema/element-sets.js';
import { positionOf } from '../schema/positions.js';
import { ELEMENTS } from '../tensor/element-types.js';
import { tensorOf } from '../tensor/numbers.js';
import { arrayOf, rowsOf } from '../tensor/stored-tensor.js';
import { integers, type TensorValue } from '../tensor/tensor-value.js';
import {
  B,
  type BlockStrides,
  dequantizer,
  isFloating,
  type LayoutAttributes,
  matrixOf,
  NBIT_TYPES,
  type NBitMatrix,
  requireMatrix,
  SCALES,
  ZERO_POINTS,
} from './n-bit-blocks.js';

export const INDICES = 0;

export interface NBitGatherParameters extends NBitMatrix {
  /** Whether a product uses the same codes, scales and zero points in the same layout. */
  readonly isShared: boolean;
}

/** A tensor that contains the requested columns, and their positions in it: only these columns, read from a file, or all columns. */
interface Taken {
  readonly tensor: TensorValue;
  readonly at: (i: number) => number;
}

/** Bits of a column whose numbers are contiguous; 0 if columns interleave. */
const columnBits = ({ block, column }: BlockStrides, blocks: number, bits: number): number =>
  column >= block * blocks ? column * bits : 0;

function taken(tensor: TensorValue, positions: readonly number[], bits: number): Taken {
  const columns = bits > 0 && bits % 8 === 0 ? rowsOf(tensor) : undefined;
  if (!columns) return { tensor, at: (i) => positions[i] as number };
  const data = arrayOf(tensor.type, columns(positions, bits / 8));
  return { tensor: { type: tensor.type, dims: [data.length], data } as TensorValue, at: (i) => i };
}

/** The columns of an n-bit matrix at the indices of operand 0, dequantized. */
export const nBitGather: Primitive<NBitGatherParameters> = {
  name: 'n-bit-gather',
  facts: { picks: true },
  reference(c, p) {
    const positions = integers(c.tensor(INDICES)).map((i) => positionOf(c, i, p.n, 0));
    const widthOf = (i: number) => (isFloating(c.element(i)) ? ELEMENTS[c.element(i)].bits : 1);
    const codes = taken(c.tensor(B), positions, columnBits({ block: p.codes.row, column: p.codes.column }, p.k, 1));
    const scales = taken(c.tensor(SCALES), positions, columnBits(p.scales, p.blocks, widthOf(SCALES)));
    const zeros = c.given(ZERO_POINTS)
      ? taken(c.tensor(ZERO_POINTS), positions, columnBits(p.zeroPoints, p.blocks, widthOf(ZERO_POINTS)))
      : undefined;
    const stored = { codes: codes.tensor, scales: scales.tensor, zeros: zeros?.tensor };
    const dequantize = dequantizer(stored, p);
    const y = new Float64Array(positions.length * p.k);
    for (let i = 0; i < positions.length; i++) {
      const of = { codes: codes.at(i), scales: scales.at(i), zeros: zeros?.at(i) ?? 0 };
      dequantize(of, y.subarray(i * p.k, (i + 1) * p.k));
    }
    const { element, dims } = c.result(0);
    return [tensorOf(element, dims, y)];
  },
};

interface Attributes extends LayoutAttributes {
  readonly shared: number;
}

/** Columns of B, a matrix in a layout of `sardonyx:MatMulNBits`, or rows of a table of bytes: [dims of the indices, K]. */
export const nBitGatherOperator = defineOp({
  domain: 'sardonyx',
  name: 'GatherNBits',
  signature: 'indices: I, B: Q, scales: S, zero_points?: Z -> Y: T',
  types: { I: INDEX_TYPES, T: ['float32'], ...NBIT_TYPES },
  halves: 'carried',
  attributes: {
    K: int.required,
    N: int.required,
    bits: int(4),
    block_size: int.required,
    layout: oneOf('blocks', 'KN', 'NK', 'rows'),
    shared: int(0),
  },
  guarded: true,
  infer(c) {
    requireMatrix(c);
    const dims = c.dims(INDICES);
    // float64 on a backend that computes all floats in double precision.
    const element = c.element(SCALES) === 'float64' ? 'float64' : 'float32';
    return [tensorType(element, dims && [...dims, c.attributes.K])];
  },
  computes: by(nBitGather, (c: Inference<Attributes>) => {
    const matrix = matrixOf(c);
    return matrix && { ...matrix, isShared: c.attributes.shared !== 0 };
  }),
});
