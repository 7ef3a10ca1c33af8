// Layouts and input checks of 2-, 4- or 8-bit matrices with a scale and a zero point for each block of a column.

import { isKnown } from '../graph/sizes.js';
import type { Inference } from '../schema/definition.js';
import { requireDims } from '../schema/shapes.js';
import { ELEMENTS, type ElementType } from '../tensor/element-types.js';
import { numbersOf } from '../tensor/numbers.js';
import { elementCount, type TensorValue } from '../tensor/tensor-value.js';

/** Input positions of such a matrix B. */
export const [B, SCALES, ZERO_POINTS] = [1, 2, 3];

/** Distance from block to block of a column, and from column to column. */
export interface BlockStrides {
  readonly block: number;
  readonly column: number;
}

/** Codes of 2, 4 or 8 bits. Strides are in bits. */
export interface Codes {
  readonly row: number;
  readonly column: number;
  readonly isSigned: boolean;
  /** The bits of a byte that hold the first code. */
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
  /** Strides in elements. */
  readonly scales: BlockStrides;
  /** Strides in elements for floating-point zero points, else in bits. */
  readonly zeroPoints: BlockStrides;
  /** The default for codes without a given zero point. */
  readonly zeroPoint: number;
  /** The value of each of 16 codes, in −1…1, if it is not the code minus the zero point. */
  readonly meanings?: readonly number[];
}

export const isFloating = (type: ElementType): boolean => type.includes('float');

/** Returns a function that reads the code at a bit offset. Codes with the highest bits first have 4 bits. */
function codesOf(data: ArrayLike<number>, bits: number, { isSigned, first }: Codes): (bit: number) => number {
  const shift = 32 - bits;
  const turn = first === 'highest' ? 4 : 0;
  return (bit) => {
    const code = ((data[bit >> 3] as number) >> ((bit & 7) ^ turn)) << shift;
    return isSigned ? code >> shift : code >>> shift;
  };
}

/** The tensors that store B. */
export interface Stored {
  readonly codes: TensorValue;
  readonly scales: TensorValue;
  readonly zeros?: TensorValue | undefined;
}

/** The column of each of these tensors that holds a column of B. */
export type Column = Readonly<Record<keyof Stored, number>>;

/** Returns a function that fills a list with a column of B, dequantized. */
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
  /** The value of each of 16 codes. */
  readonly meanings?: readonly number[] | undefined;
}

const WIDTHS = [2, 4, 8];

/** The sizes in the attributes. Throws an error if they are invalid. */
export function blocksOf(c: Inference<NBitAttributes>) {
  const { K: k, N: n, bits, block_size: block } = c.attributes;
  if (!WIDTHS.includes(bits)) c.fail('INVALID_ATTRIBUTE', `bits must be 2, 4 or 8, not ${bits}`);
  if (block < 16 || !Number.isInteger(Math.log2(block)))
    c.fail('INVALID_ATTRIBUTE', `block_size must be a power of two and at least 16, not ${block}`);
  if (k <= 0 || n <= 0) c.fail('INVALID_ATTRIBUTE', `K and N must be positive, not ${k} and ${n}`);
  return { k, n, bits, block, blocks: Math.ceil(k / block) };
}

const bytesFor = (count: number, bits: number) => Math.ceil((count * bits) / 8);

/** Checks that input `i` has shape `dims`, or is a flat list of as many elements. */
function requireRows(c: Inference<unknown>, i: number, dims: readonly [number, number]): void {
  const given = c.given(i) ? c.dims(i) : undefined;
  if (given?.length === 1) requireDims(c, i, [dims[0] * dims[1]]);
  else requireDims(c, i, dims);
}

/** Checks scales and zero points in MatMulNBits' layout. */
function requireScales(c: Inference<NBitAttributes>): void {
  const { n, bits, blocks } = blocksOf(c);
  requireRows(c, SCALES, [n, blocks]);
  if (!c.given(ZERO_POINTS)) return;
  requireRows(c, ZERO_POINTS, [n, isFloating(c.element(ZERO_POINTS)) ? blocks : bytesFor(blocks, bits)]);
}

/** Checks B in MatMulNBits' layout. Kernels read linear memory by these sizes. */
export function requireBlocks(c: Inference<NBitAttributes>): void {
  const { n, bits, block, blocks } = blocksOf(c);
  requireDims(c, B, [n, blocks, (block * bits) / 8]);
  requireScales(c);
}

/** Checks B in GatherBlockQuantized's layout. */
function requireByteRows(c: Inference<NBitAttributes>): void {
  const { n, k, bits } = blocksOf(c);
  requireDims(c, B, [n, bytesFor(k, bits)]);
  requireScales(c);
}

/** Checks B as a tensor of its own dims, with scales and zero points per block, per column or per tensor. */
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

/** Checks B in MatMulBnb4's layout, with the codes' values as an attribute; blocks are whole. */
function requireBytes(c: Inference<LayoutAttributes>): void {
  const { n, k, bits, block } = blocksOf(c);
  const { meanings = [] } = c.attributes;
  if (k % block !== 0) c.fail('INVALID_ATTRIBUTE', `K must be a multiple of block_size ${block}, not ${k}`);
  if (bits !== 4 || meanings.length !== 16 || !meanings.every((value) => Math.abs(value) <= 1))
    c.fail('INVALID_ATTRIBUTE', 'meanings must be 16 numbers from -1 to 1, of codes of 4 bits');
  requireDims(c, B, [(n * k) / 2]);
  requireScales(c);
}

/** Rows of B per block if a whole column shares a scale. */
export const SHARED_BLOCK = 128;

/** A storage layout of B, its scales and its zero points. */
interface Layout {
  readonly check: (c: Inference<LayoutAttributes>) => void;
  readonly matrix: (c: Inference<LayoutAttributes>) => NBitMatrix;
}

/** Columns stored as bytes: of whole blocks, or of exactly K codes. */
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

/** B and its zero points in DequantizeLinear's layout: a tensor [K, N] or [N, K]. */
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

/** Codes with a table of values, the upper half of a byte first. */
function withMeanings(c: Inference<LayoutAttributes>): NBitMatrix {
  const matrix = inBytes(true)(c);
  const { meanings } = c.attributes;
  return { ...matrix, codes: { ...matrix.codes, first: 'highest' }, zeroPoint: 0, ...(meanings && { meanings }) };
}

/**
 * `blocks`: MatMulNBits. `KN`, `NK`: DequantizeLinear's tensor [K, N] or [N, K]. `rows`: GatherBlockQuantized's table of bytes. `bytes`:
 * MatMulBnb4's flat list of bytes.
 */
const LAYOUTS: Readonly<Record<string, Layout>> = {
  blocks: { check: requireBlocks, matrix: inBytes(true) },
  KN: { check: requireTensor, matrix: inTensor(false) },
  NK: { check: requireTensor, matrix: inTensor(true) },
  rows: { check: requireByteRows, matrix: inBytes(false) },
  bytes: { check: requireBytes, matrix: withMeanings },
};

/** The layout that the attribute names. `oneOf` has checked the name. */
const layoutOf = (c: Inference<LayoutAttributes>): Layout => LAYOUTS[c.attributes.layout] as Layout;

/** Checks B, scales and zero points. */
export const requireMatrix = (c: Inference<LayoutAttributes>): void => layoutOf(c).check(c);

/** B, or undefined while sizes are unknown. */
export const matrixOf = (c: Inference<LayoutAttributes>): NBitMatrix | undefined =>
  isKnown(c.dims(SCALES)) ? layoutOf(c).matrix(c) : undefined;

/** Element types of B, its scales and its zero points. */
export const NBIT_TYPES = {
  Q: ['uint8', 'int8', 'uint4', 'int4', 'uint2', 'int2'],
  S: ['float32', 'float16'],
  Z: ['uint8', 'int8', 'uint4', 'int4', 'uint2', 'int2', 'float32', 'float16'],
} as const satisfies Record<string, readonly ElementType[]>;
