// Matrices of 2, 4 or 8 bits, with a scale and a zero point for each block of a column: how they lie, and what that asks of operands.

import { isKnown } from '../graph/sizes.js';
import type { Inference } from '../schema/definition.js';
import { requireDims } from '../schema/shapes.js';
import { ELEMENTS, type ElementType } from '../tensor/element-types.js';
import { numbersOf } from '../tensor/numbers.js';
import { elementCount, type TensorValue } from '../tensor/tensor-value.js';

/** Inputs that say such a matrix B. */
export const [B, SCALES, ZERO_POINTS] = [1, 2, 3];

/** How far apart numbers lie, from block to block of a column and from column to column. */
export interface BlockStrides {
  readonly block: number;
  readonly column: number;
}

/** Codes of 2, 4 or 8 bits. Strides are in bits. */
export interface Codes {
  readonly row: number;
  readonly column: number;
  readonly isSigned: boolean;
  /** Which bits of a byte come first. */
  readonly first: 'lowest' | 'highest';
}

export interface NBitMatrix {
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
  /** What each of 16 codes stands for, at most 1 either way, where it is not its distance from the zero point. */
  readonly meanings?: readonly number[];
}

export const isFloating = (type: ElementType): boolean => type.includes('float');

/** The codes of a tensor's bytes, by their first bits; those that have the highest bits first are of 4. */
function codesOf(data: ArrayLike<number>, bits: number, { isSigned, first }: Codes): (bit: number) => number {
  const shift = 32 - bits;
  const turn = first === 'highest' ? 4 : 0;
  return (bit) => {
    const code = ((data[bit >> 3] as number) >> ((bit & 7) ^ turn)) << shift;
    return isSigned ? code >> shift : code >>> shift;
  };
}

/** What B is made of. */
export interface Stored {
  readonly codes: TensorValue;
  readonly scales: TensorValue;
  readonly zeros?: TensorValue | undefined;
}

/** In which column of each of them one of B is. */
export type Column = Readonly<Record<keyof Stored, number>>;

/** Fills a list with a column of B, in floats. */
export function dequantizer(stored: Stored, p: NBitMatrix): (of: Column, column: Float64Array) => void {
  const codeAt = codesOf(stored.codes.data as Uint8Array, p.bits, p.codes);
  const scales = numbersOf(stored.scales);
  const zeroAt = zeroPointsOf(stored, p);
  const { meanings } = p;
  return (of, column) => {
    for (let k = 0; k < p.k; k++) {
      const block = Math.floor(k / p.block);
      const code = codeAt(k * p.codes.row + of.codes * p.codes.column);
      const value = meanings ? (meanings[code] as number) : code - zeroAt(block, of.zeros);
      column[k] = value * (scales[block * p.scales.block + of.scales * p.scales.column] as number);
    }
  };
}

function zeroPointsOf({ zeros }: Stored, p: NBitMatrix): (block: number, n: number) => number {
  if (!zeros) return () => p.zeroPoint;
  const { block: blockStride, column: columnStride } = p.zeroPoints;
  const numbers = isFloating(zeros.type) ? numbersOf(zeros) : [];
  const at = isFloating(zeros.type)
    ? (i: number) => numbers[i] as number
    : codesOf(zeros.data as Uint8Array, p.bits, p.codes);
  return (block, n) => at(block * blockStride + n * columnStride);
}

export interface NBitAttributes {
  readonly K: number;
  readonly N: number;
  readonly bits: number;
  readonly block_size: number;
}

export interface LayoutAttributes extends NBitAttributes {
  readonly layout: string;
  /** What each of 16 codes stands for. */
  readonly meanings?: readonly number[] | undefined;
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

const bytesFor = (count: number, bits: number) => Math.ceil((count * bits) / 8);

/** Checks that input `i` has the numbers of `dims`, the last of them in rows or all in one list. */
function requireRows(c: Inference<unknown>, i: number, dims: readonly [number, number]): void {
  const given = c.given(i) ? c.dims(i) : undefined;
  if (given?.length === 1) requireDims(c, i, [dims[0] * dims[1]]);
  else requireDims(c, i, dims);
}

/** Checks scales and zero points as MatMulNBits has them. */
function requireScales(c: Inference<NBitAttributes>): void {
  const { n, bits, blocks } = blocksOf(c);
  requireRows(c, SCALES, [n, blocks]);
  if (!c.given(ZERO_POINTS)) return;
  requireRows(c, ZERO_POINTS, [n, isFloating(c.element(ZERO_POINTS)) ? blocks : bytesFor(blocks, bits)]);
}

/** Checks B as MatMulNBits has it: all that lies in linear memory is read by these sizes. */
export function requireBlocks(c: Inference<NBitAttributes>): void {
  const { n, bits, block, blocks } = blocksOf(c);
  requireDims(c, B, [n, blocks, (block * bits) / 8]);
  requireScales(c);
}

/** Checks B as GatherBlockQuantized has it. */
function requireByteRows(c: Inference<NBitAttributes>): void {
  const { n, k, bits } = blocksOf(c);
  requireDims(c, B, [n, bytesFor(k, bits)]);
  requireScales(c);
}

/** Checks B as a tensor of its own dims, with scales and zero points for each block, each column, or all. */
function requireTensor(c: Inference<LayoutAttributes>): void {
  const { K: k, N: n, block_size: block, layout } = c.attributes;
  const ordered = (rows: number) => (layout === 'KN' ? [rows, n] : [n, rows]);
  if (block % 16 !== 0) c.fail('INVALID_ATTRIBUTE', `block_size must be a multiple of 16, not ${block}`);
  requireDims(c, B, ordered(k));
  for (const i of [SCALES, ZERO_POINTS]) {
    const dims = c.given(i) ? c.dims(i) : undefined;
    if (block) requireDims(c, i, ordered(Math.ceil(k / block)));
    else if (dims?.some((d) => d !== 1)) requireDims(c, i, [n]);
  }
}

/** Checks B as MatMulBnb4 has it, its codes' meanings among the attributes; blocks are whole. */
function requireBytes(c: Inference<LayoutAttributes>): void {
  const { n, k, bits, block } = blocksOf(c);
  const { meanings = [] } = c.attributes;
  if (k % block !== 0) c.fail('INVALID_ATTRIBUTE', `K must be a multiple of block_size ${block}, not ${k}`);
  if (bits !== 4 || meanings.length !== 16 || !meanings.every((value) => Math.abs(value) <= 1))
    c.fail('INVALID_ATTRIBUTE', 'meanings must be 16 numbers from -1 to 1, of codes of 4 bits');
  requireDims(c, B, [(n * k) / 2]);
  requireScales(c);
}

/** Rows of B in a block where all of a column share a scale. */
export const SHARED_BLOCK = 128;

/** How a tensor's numbers lie: of blocks, and of columns. */
interface Layout {
  readonly check: (c: Inference<LayoutAttributes>) => void;
  readonly matrix: (c: Inference<LayoutAttributes>) => NBitMatrix;
}

/** Columns of bytes: of whole blocks, or as long as B is deep. */
const inBytes =
  (isWhole: boolean): Layout['matrix'] =>
  (c) => {
    const { k, n, bits, block, blocks } = blocksOf(c);
    const isPacked = !c.given(ZERO_POINTS) || !isFloating(c.element(ZERO_POINTS));
    const column = isWhole ? blocks * block * bits : 8 * bytesFor(k, bits);
    return {
      ...{ k, n, bits, block, blocks },
      codes: { row: bits, column, isSigned: false, first: 'lowest' },
      scales: { block: 1, column: blocks },
      zeroPoints: isPacked ? { block: bits, column: 8 * bytesFor(blocks, bits) } : { block: 1, column: blocks },
      zeroPoint: 2 ** (bits - 1),
    };
  };

/** As DequantizeLinear has B, and what it gives for zero points: a tensor [K, N], or [N, K], of elements. */
const inTensor =
  (isByColumns: boolean): Layout['matrix'] =>
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
        first: 'lowest',
      },
      zeroPoints: { block: bits * scales.block, column: bits * scales.column },
      zeroPoint: 0,
    };
  };

/** Codes that stand for other numbers, the upper of a byte first. */
function withMeanings(c: Inference<LayoutAttributes>): NBitMatrix {
  const matrix = inBytes(true)(c);
  const { meanings } = c.attributes;
  return { ...matrix, codes: { ...matrix.codes, first: 'highest' }, zeroPoint: 0, ...(meanings && { meanings }) };
}

/**
 * As MatMulNBits has B, as DequantizeLinear has it, [K, N] or [N, K], as GatherBlockQuantized has a table of bytes, and as MatMulBnb4 has
 * its list of them.
 */
const LAYOUTS: Readonly<Record<string, Layout>> = {
  blocks: { check: requireBlocks, matrix: inBytes(true) },
  KN: { check: requireTensor, matrix: inTensor(false) },
  NK: { check: requireTensor, matrix: inTensor(true) },
  rows: { check: requireByteRows, matrix: inBytes(false) },
  bytes: { check: requireBytes, matrix: withMeanings },
};

/** The layout that the attributes say, which are words of the operator's own. */
const layoutOf = (c: Inference<LayoutAttributes>): Layout => LAYOUTS[c.attributes.layout] as Layout;

/** Checks B, scales and zero points. */
export const requireMatrix = (c: Inference<LayoutAttributes>): void => layoutOf(c).check(c);

/** B, as far as sizes are known. */
export const matrixOf = (c: Inference<LayoutAttributes>): NBitMatrix | undefined =>
  isKnown(c.dims(SCALES)) ? layoutOf(c).matrix(c) : undefined;

/** What B may be of, and what its scales and zero points. */
export const NBIT_TYPES = {
  Q: ['uint8', 'int8', 'uint4', 'int4', 'uint2', 'int2'],
  S: ['float32', 'float16'],
  Z: ['uint8', 'int8', 'uint4', 'int4', 'uint2', 'int2', 'float32', 'float16'],
} as const satisfies Record<string, readonly ElementType[]>;
