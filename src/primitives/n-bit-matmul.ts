import { account } from '../account.js';
import { isKnown } from '../graph/dims.js';
import { type Dim, tensorType } from '../graph/types.js';
import { int, oneOf } from '../schema/attributes.js';
import { by, defineOp, type Inference, type Primitive } from '../schema/definition.js';
import { requireDims } from '../schema/shapes.js';
import { ELEMENTS, type ElementType } from '../tensor/element-types.js';
import { numbersOf, tensorOf } from '../tensor/numbers.js';
import { elementCount } from '../tensor/tensor-value.js';

export const [A, B, SCALES, ZERO_POINTS, BIAS] = [0, 1, 2, 3, 4];

/** How far apart numbers lie, from block to block of a column and from column to column. */
export interface BlockStrides {
  readonly block: number;
  readonly column: number;
}

/** Codes of 2, 4 or 8 bits, the lowest bits of a byte first. Strides are in bits. */
export interface Codes {
  readonly row: number;
  readonly column: number;
  readonly isSigned: boolean;
}

export interface NBitProductParameters {
  readonly k: number;
  readonly n: number;
  readonly bits: number;
  /** Rows of B that share a scale and a zero point; the last block of a column may have fewer. */
  readonly block: number;
  readonly blocks: number;
  readonly codes: Codes;
  /** In elements. */
  readonly scales: BlockStrides;
  /** In elements where zero points are floats, else in bits. */
  readonly zeroPoints: BlockStrides;
  /** Of codes that none is given for. */
  readonly zeroPoint: number;
  /** Whether A may be rounded to 8 bits a block, rather than 16. */
  readonly narrow: boolean;
}

/** The codes of a tensor's bytes. */
function codesOf(data: ArrayLike<number>, bits: number, isSigned: boolean): (bit: number) => number {
  const shift = 32 - bits;
  return (bit) => {
    const code = ((data[bit >> 3] as number) >> (bit & 7)) << shift;
    return isSigned ? code >> shift : code >>> shift;
  };
}

/** Column `n` of B in floats, into `column`. */
function dequantizer(c: Parameters<Primitive<NBitProductParameters>['reference']>[0], p: NBitProductParameters) {
  const codeAt = codesOf(c.tensor(B).data as Uint8Array, p.bits, p.codes.isSigned);
  const scales = numbersOf(c.tensor(SCALES));
  const zeroAt = zeroPointsOf(c, p);
  return (n: number, column: Float64Array) => {
    for (let k = 0; k < p.k; k++) {
      const block = Math.floor(k / p.block);
      const code = codeAt(k * p.codes.row + n * p.codes.column);
      column[k] = (code - zeroAt(block, n)) * (scales[block * p.scales.block + n * p.scales.column] as number);
    }
  };
}

export const isFloating = (type: ElementType): boolean => type.includes('float');

function zeroPointsOf(c: Parameters<Primitive<NBitProductParameters>['reference']>[0], p: NBitProductParameters) {
  if (!c.given(ZERO_POINTS)) return () => p.zeroPoint;
  const zeros = c.tensor(ZERO_POINTS);
  const { block: blockStride, column: columnStride } = p.zeroPoints;
  const at = isFloating(zeros.type)
    ? (i: number) => numbers[i] as number
    : codesOf(zeros.data as Uint8Array, p.bits, p.codes.isSigned);
  const numbers = isFloating(zeros.type) ? numbersOf(zeros) : [];
  return (block: number, n: number) => at(block * blockStride + n * columnStride);
}

/** A · (scale · (codes − zero point)) + bias, scale and zero point those of a block of a column. */
export const nBitMatMul: Primitive<NBitProductParameters> = {
  name: 'n-bit-matmul',
  facts: {
    multiplyAdds: (c, { n }) => elementCount(c.dims(A) as number[]) * n,
  },
  reference(c, p) {
    const { dims, element } = c.result(0);
    const a = numbersOf(c.tensor(A));
    const rows = elementCount(c.tensor(A).dims.slice(0, -1));
    const bias = c.given(BIAS) ? numbersOf(c.tensor(BIAS)) : undefined;
    const dequantize = dequantizer(c, p);
    const column = new Float64Array(p.k);
    const y = new Float64Array(rows * p.n);
    for (let n = 0; n < p.n; n++) {
      account()?.spend(p.k * (rows + 1));
      dequantize(n, column);
      for (let row = 0; row < rows; row++) {
        let sum = 0;
        for (let k = 0; k < p.k; k++) sum += (a[row * p.k + k] as number) * (column[k] as number);
        y[row * p.n + n] = sum + (bias?.[n] ?? 0);
      }
    }
    return [tensorOf(element, dims, y)];
  },
};

export interface NBitAttributes {
  readonly K: number;
  readonly N: number;
  readonly bits: number;
  readonly block_size: number;
}

const WIDTHS = [2, 4, 8];

/** The sizes that attributes say, or an error that says what they may be. */
export function blocksOf(c: Inference<NBitAttributes>) {
  const { K: k, N: n, bits, block_size: block } = c.attributes;
  if (!WIDTHS.includes(bits)) c.fail('INVALID_ATTRIBUTE', `bits must be 2, 4 or 8, not ${bits}`);
  if (block < 16 || !Number.isInteger(Math.log2(block)))
    c.fail('INVALID_ATTRIBUTE', `block_size must be a power of two and at least 16, not ${block}`);
  if (k <= 0 || n <= 0) c.fail('INVALID_ATTRIBUTE', `K and N must be positive, not ${k} and ${n}`);
  return { k, n, bits, block, blocks: Math.ceil(k / block) };
}

/** Checks that input `i` has the numbers of `dims`, the last of them in rows or all in one list. */
function requireRows(c: Inference<unknown>, i: number, dims: readonly [number, number]): void {
  const given = c.given(i) ? c.dims(i) : undefined;
  if (given?.length === 1) requireDims(c, i, [dims[0] * dims[1]]);
  else requireDims(c, i, dims);
}

/** Checks operands as MatMulNBits has them: all that lies in linear memory is read by these sizes. */
export function requireBlocks(c: Inference<NBitAttributes>, bias: number): void {
  const { k, n, bits, block, blocks } = blocksOf(c);
  const a = c.dims(A);
  if (a?.length === 0) c.fail('INVALID_SHAPE', 'A must have at least one axis, of K numbers');
  const inner = a?.at(-1);
  if (typeof inner === 'number' && inner !== k) c.fail('INVALID_SHAPE', `A has rows of ${inner}; K is ${k}`);
  requireDims(c, B, [n, blocks, (block * bits) / 8]);
  requireRows(c, SCALES, [n, blocks]);
  if (c.given(ZERO_POINTS)) {
    const isPacked = !isFloating(c.element(ZERO_POINTS));
    requireRows(c, ZERO_POINTS, [n, isPacked ? Math.ceil((blocks * bits) / 8) : blocks]);
  }
  requireDims(c, bias, [n]);
}

/** What A gives: its dims but the last, and N. */
export const productOf = (c: Inference<NBitAttributes>): readonly Dim[] | undefined => {
  const a = c.dims(A);
  return a && [...a.slice(0, -1), c.attributes.N];
};

interface Attributes extends NBitAttributes {
  readonly accuracy_level: number;
  readonly layout: string;
}

/** From this level on A may be rounded to 8 bits. */
const INT8_LEVEL = 4;
/** Rows of B in a block where all of a column share a scale. */
const SHARED_BLOCK = 128;

/** How a tensor's numbers lie: of blocks, and of columns. */
type Layout = (c: Inference<Attributes>) => NBitProductParameters;

const narrowed = (c: Inference<Attributes>) => c.attributes.accuracy_level === INT8_LEVEL;

/** As MatMulNBits has B: columns of whole blocks. */
const inBlocks: Layout = (c) => {
  const { k, n, bits, block, blocks } = blocksOf(c);
  const isPacked = !c.given(ZERO_POINTS) || !isFloating(c.element(ZERO_POINTS));
  return {
    ...{ k, n, bits, block, blocks },
    codes: { row: bits, column: blocks * block * bits, isSigned: false },
    scales: { block: 1, column: blocks },
    zeroPoints: isPacked ? { block: bits, column: 8 * Math.ceil((blocks * bits) / 8) } : { block: 1, column: blocks },
    zeroPoint: 2 ** (bits - 1),
    narrow: narrowed(c),
  };
};

/** As DequantizeLinear has B, and what it gives for zero points: a tensor [K, N], or [N, K], of elements. */
const inTensor =
  (isByColumns: boolean): Layout =>
  (c) => {
    const { K: k, N: n, block_size } = c.attributes;
    const { bits } = ELEMENTS[c.element(B)];
    const block = block_size || SHARED_BLOCK;
    const blocks = Math.ceil(k / block);
    const count = elementCount(c.dims(SCALES) as number[]);
    const each = isByColumns ? { block: 1, column: blocks } : { block: n, column: 1 };
    const scales = block_size ? each : { block: 0, column: count === 1 ? 0 : 1 };
    return {
      ...{ k, n, bits, block, blocks, scales },
      codes: {
        row: isByColumns ? bits : n * bits,
        column: isByColumns ? k * bits : bits,
        isSigned: c.element(B).startsWith('int'),
      },
      zeroPoints: { block: bits * scales.block, column: bits * scales.column },
      zeroPoint: 0,
      narrow: narrowed(c),
    };
  };

const LAYOUTS: Readonly<Record<string, Layout>> = { blocks: inBlocks, KN: inTensor(false), NK: inTensor(true) };

/** Checks B as a tensor of its own dims, with scales and zero points for each block, each column, or all. */
function requireTensor(c: Inference<Attributes>): void {
  const { K: k, N: n, block_size: block, layout } = c.attributes;
  const ordered = (rows: number) => (layout === 'KN' ? [rows, n] : [n, rows]);
  if (block % 16 !== 0) c.fail('INVALID_ATTRIBUTE', `block_size must be a multiple of 16, not ${block}`);
  requireDims(c, B, ordered(k));
  for (const i of [SCALES, ZERO_POINTS]) {
    const dims = c.given(i) ? c.dims(i) : undefined;
    if (block) requireDims(c, i, ordered(Math.ceil(k / block)));
    else if (dims?.some((d) => d !== 1)) requireDims(c, i, [n]);
  }
  requireDims(c, BIAS, [n]);
}

/** MatMulNBits on float32, its scales and zero points as they are stored; or B as DequantizeLinear has it. */
export const nBitMatMulOperator = defineOp({
  domain: 'sardonyx',
  name: 'MatMulNBits',
  signature: 'A: T, B: Q, scales: S, zero_points?: Z, bias?: T -> Y: T',
  types: {
    T: ['float32'],
    Q: ['uint8', 'int8', 'uint4', 'int4', 'uint2', 'int2'],
    S: ['float32', 'float16'],
    Z: ['uint8', 'int8', 'uint4', 'int4', 'uint2', 'int2', 'float32', 'float16'],
  },
  attributes: {
    K: int.required,
    N: int.required,
    bits: int(4),
    block_size: int.required,
    accuracy_level: int(0),
    layout: oneOf('blocks', 'KN', 'NK'),
  },
  infer(c) {
    if (c.attributes.layout === 'blocks') requireBlocks(c, BIAS);
    else requireTensor(c);
    return [tensorType(c.element(A), productOf(c))];
  },
  computes: by(nBitMatMul, (c: Inference<Attributes>) =>
    [A, SCALES].every((i) => isKnown(c.dims(i))) ? LAYOUTS[c.attributes.layout]?.(c) : undefined,
  ),
});
