import type { ElementType } from '../../../src/tensor/element-types.js';
import type { Plain, PlainArray } from './array.js';

/** A binary floating-point format of at most 16 bits. https://onnx.ai/onnx/technical/float8.html */
interface FloatFormat {
  readonly exponentBits: number;
  readonly fractionBits: number;
  readonly bias: number;
  readonly max: number;
  /** What is too large: infinity, NaN, or always the largest value. */
  readonly beyond: 'infinity' | 'nan' | 'largest';
  /** Casts to it may saturate. */
  readonly saturates?: boolean;
  /** The code of −0 is its only NaN. */
  readonly unsignedZero?: boolean;
}

const FORMATS: Partial<Record<ElementType, FloatFormat>> = {
  float16: { exponentBits: 5, fractionBits: 10, bias: 15, max: 65504, beyond: 'infinity' },
  bfloat16: { exponentBits: 8, fractionBits: 7, bias: 127, max: (2 - 2 ** -7) * 2 ** 127, beyond: 'infinity' },
  float8e4m3fn: { exponentBits: 4, fractionBits: 3, bias: 7, max: 448, beyond: 'nan', saturates: true },
  float8e4m3fnuz: {
    exponentBits: 4,
    fractionBits: 3,
    bias: 8,
    max: 240,
    beyond: 'nan',
    saturates: true,
    unsignedZero: true,
  },
  float8e5m2: { exponentBits: 5, fractionBits: 2, bias: 15, max: 57344, beyond: 'infinity', saturates: true },
  float8e5m2fnuz: {
    exponentBits: 5,
    fractionBits: 2,
    bias: 16,
    max: 57344,
    beyond: 'nan',
    saturates: true,
    unsignedZero: true,
  },
  float4e2m1: { exponentBits: 2, fractionBits: 1, bias: 1, max: 6, beyond: 'largest' },
};

export function halfEven(x: number): number {
  const floor = Math.floor(x);
  const rest = x - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2 !== 0) ? floor + 1 : floor;
}

/** The value that a code of the format stands for. */
export function decodeFloat(type: ElementType, code: number): number {
  if (type === 'float8e8m0') return code === 255 ? Number.NaN : 2 ** (code - 127);
  const { exponentBits, fractionBits, bias, max, beyond, unsignedZero } = FORMATS[type] as FloatFormat;
  const signBit = 1 << (exponentBits + fractionBits);
  if (unsignedZero && code === signBit) return Number.NaN;
  const sign = code & signBit ? -1 : 1;
  const exponent = (code & (signBit - 1)) >> fractionBits;
  const fraction = (code & ((1 << fractionBits) - 1)) / (1 << fractionBits);
  const magnitude = exponent === 0 ? fraction * 2 ** (1 - bias) : (1 + fraction) * 2 ** (exponent - bias);
  if (magnitude <= max) return sign * magnitude;
  return beyond === 'infinity' && fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
}

/** The nearest value of the type, ties to even; what is too large becomes the largest where it saturates. NaN is 0 where there is none. */
export function roundToFloat(type: ElementType, x: number, saturate = true): number {
  if (type === 'float64') return x;
  if (type === 'float32') return Math.fround(x);
  const { fractionBits, bias, max, beyond, saturates, unsignedZero } = FORMATS[type] as FloatFormat;
  if (Number.isNaN(x)) return beyond === 'largest' ? 0 : x;
  const magnitude = Math.abs(x);
  const exponent = Math.max(Math.floor(Math.log2(magnitude)), 1 - bias);
  const step = 2 ** (exponent - fractionBits);
  const rounded = magnitude === Number.POSITIVE_INFINITY ? magnitude : halfEven(magnitude / step) * step;
  const sign = x < 0 || (Object.is(x, -0) && !unsignedZero) ? -1 : 1;
  if (rounded <= max) return unsignedZero && rounded === 0 ? 0 : sign * rounded;
  if (beyond === 'largest' || (saturates && saturate)) return sign * max;
  return beyond === 'infinity' ? sign * Number.POSITIVE_INFINITY : Number.NaN;
}

/** Bits of significance, for those types that are floats. */
export const PRECISION: Partial<Record<ElementType, number>> = {
  float64: 53,
  float32: 24,
  float16: 11,
  bfloat16: 8,
  float8e4m3fn: 4,
  float8e4m3fnuz: 4,
  float8e5m2: 3,
  float8e5m2fnuz: 3,
  float4e2m1: 2,
  float8e8m0: 1,
};

export const isFloat = (type: ElementType): boolean => type in PRECISION;

interface IntegerFormat {
  readonly bits: number;
  readonly signed: boolean;
}

export const INTEGERS: Partial<Record<ElementType, IntegerFormat>> = {
  uint2: { bits: 2, signed: false },
  int2: { bits: 2, signed: true },
  uint4: { bits: 4, signed: false },
  int4: { bits: 4, signed: true },
  uint8: { bits: 8, signed: false },
  int8: { bits: 8, signed: true },
  uint16: { bits: 16, signed: false },
  int16: { bits: 16, signed: true },
  uint32: { bits: 32, signed: false },
  int32: { bits: 32, signed: true },
  uint64: { bits: 64, signed: false },
  int64: { bits: 64, signed: true },
};

export const isInteger = (type: ElementType): boolean => type in INTEGERS;
export const isWide = (type: ElementType): boolean => type === 'int64' || type === 'uint64';

/** Least and greatest number of an integer type. */
export function rangeOf(type: ElementType): readonly [bigint, bigint] {
  const { bits, signed } = INTEGERS[type] as IntegerFormat;
  const half = 1n << BigInt(bits - 1);
  return signed ? [-half, half - 1n] : [0n, 2n * half - 1n];
}

/** The low bits of a whole number, as this integer type reads them. */
export function wrap(type: ElementType, x: bigint): Plain {
  const { bits, signed } = INTEGERS[type] as IntegerFormat;
  const wrapped = signed ? BigInt.asIntN(bits, x) : BigInt.asUintN(bits, x);
  return bits === 64 ? wrapped : Number(wrapped);
}

/** The same of a safe integer, for a type of at most 32 bits. */
export function wrapNumber(type: ElementType, x: number): number {
  const { bits, signed } = INTEGERS[type] as IntegerFormat;
  const shift = 32 - bits;
  return signed ? (x << shift) >> shift : (x << shift) >>> shift;
}

/**
 * Integers as bigints and floats as they are: numbers whose sums and products of any length are exact, or in float64. Both kinds
 * know the same operators as long as they are not mixed, so one loop typed for numbers serves both.
 */
interface Exact {
  readonly data: readonly number[];
  readonly zero: number;
  readonly one: number;
}

export const exact = ({ type, data }: PlainArray): Exact =>
  isInteger(type)
    ? { data: data.map(BigInt as never), zero: 0n as never, one: 1n as never }
    : { data: data as readonly number[], zero: 0, one: 1 };

/** What came of them as elements of the type. */
export const inexact = (type: ElementType, data: readonly number[]): readonly Plain[] =>
  isInteger(type) ? data.map((x) => wrap(type, x as never)) : data;
