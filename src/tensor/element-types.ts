import { kindOf } from '../base/kind.js';

/** The array that holds the elements of each type. */
export interface ElementData {
  /** 32-bit floats. */
  float32: Float32Array;
  /** 8-bit unsigned integers. */
  uint8: Uint8Array;
  /** 8-bit integers. */
  int8: Int8Array;
  /** 16-bit unsigned integers. */
  uint16: Uint16Array;
  /** 16-bit integers. */
  int16: Int16Array;
  /** 32-bit integers. */
  int32: Int32Array;
  /** 64-bit integers, as bigints. */
  int64: BigInt64Array;
  /** Strings. */
  string: readonly string[];
  /** 0 or 1. */
  bool: Uint8Array;
  /** The bits of float16 numbers. */
  float16: Uint16Array;
  /** 64-bit floats. */
  float64: Float64Array;
  /** 32-bit unsigned integers. */
  uint32: Uint32Array;
  /** 64-bit unsigned integers, as bigints. */
  uint64: BigUint64Array;
  /** Pairs of 32-bit floats: real part, imaginary part. */
  complex64: Float32Array;
  /** Pairs of 64-bit floats: real part, imaginary part. */
  complex128: Float64Array;
  /** The bits of bfloat16 numbers. */
  bfloat16: Uint16Array;
  /** The bits of 8-bit floats: 4 bits of exponent, 3 of mantissa, finite values and NaN. */
  float8e4m3fn: Uint8Array;
  /** The same without a negative zero. */
  float8e4m3fnuz: Uint8Array;
  /** The bits of 8-bit floats: 5 bits of exponent, 2 of mantissa. */
  float8e5m2: Uint8Array;
  /** The same with finite values and NaN only, without a negative zero. */
  float8e5m2fnuz: Uint8Array;
  /** Two 4-bit unsigned integers in a byte, low bits first. */
  uint4: Uint8Array;
  /** Two 4-bit integers in a byte, low bits first. */
  int4: Int8Array;
  /** The bits of two 4-bit floats in a byte, low bits first. */
  float4e2m1: Uint8Array;
  /** The bits of 8-bit powers of two. */
  float8e8m0: Uint8Array;
  /** Four 2-bit unsigned integers in a byte, low bits first. */
  uint2: Uint8Array;
  /** Four 2-bit integers in a byte, low bits first. */
  int2: Int8Array;
}

/** ONNX element types, named as in onnxruntime-common, or by ONNX's lower-case name if that has none. */
export type ElementType = keyof ElementData;

/** The array that holds elements of type T. */
export type DataOf<T extends ElementType> = ElementData[T];

/** An array that can hold the data of a tensor of numbers. */
export type TypedArray =
  | Float32Array
  | Float64Array
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array;

export type TypedArrayConstructor = {
  new (length: number): TypedArray;
  new (buffer: ArrayBufferLike, byteOffset?: number, length?: number): TypedArray;
  readonly BYTES_PER_ELEMENT: number;
  readonly name: string;
};

interface ElementFacts {
  /** TensorProto.DataType. */
  readonly onnx: number;
  /** Bits of one element; below 8, elements are packed, low bits first. */
  readonly bits: number;
  /** Array type of the data; `null` means an array of strings. */
  readonly array: TypedArrayConstructor | null;
  /** Array entries per element: 2 for interleaved complex numbers. */
  readonly entries?: number;
}

/** Checks at compile time that each type's array matches the type of its data. */
type Facts = {
  readonly [T in ElementType]: ElementFacts & {
    readonly array: ElementData[T] extends TypedArray ? new (length: number) => ElementData[T] : null;
  };
};

/** https://github.com/onnx/onnx/blob/main/docs/IR.md#tensor-element-types */
export const ELEMENTS: Readonly<Record<ElementType, ElementFacts>> = {
  float32: { onnx: 1, bits: 32, array: Float32Array },
  uint8: { onnx: 2, bits: 8, array: Uint8Array },
  int8: { onnx: 3, bits: 8, array: Int8Array },
  uint16: { onnx: 4, bits: 16, array: Uint16Array },
  int16: { onnx: 5, bits: 16, array: Int16Array },
  int32: { onnx: 6, bits: 32, array: Int32Array },
  int64: { onnx: 7, bits: 64, array: BigInt64Array },
  string: { onnx: 8, bits: 0, array: null },
  bool: { onnx: 9, bits: 8, array: Uint8Array },
  float16: { onnx: 10, bits: 16, array: Uint16Array },
  float64: { onnx: 11, bits: 64, array: Float64Array },
  uint32: { onnx: 12, bits: 32, array: Uint32Array },
  uint64: { onnx: 13, bits: 64, array: BigUint64Array },
  complex64: { onnx: 14, bits: 64, array: Float32Array, entries: 2 },
  complex128: { onnx: 15, bits: 128, array: Float64Array, entries: 2 },
  bfloat16: { onnx: 16, bits: 16, array: Uint16Array },
  float8e4m3fn: { onnx: 17, bits: 8, array: Uint8Array },
  float8e4m3fnuz: { onnx: 18, bits: 8, array: Uint8Array },
  float8e5m2: { onnx: 19, bits: 8, array: Uint8Array },
  float8e5m2fnuz: { onnx: 20, bits: 8, array: Uint8Array },
  uint4: { onnx: 21, bits: 4, array: Uint8Array },
  int4: { onnx: 22, bits: 4, array: Int8Array },
  float4e2m1: { onnx: 23, bits: 4, array: Uint8Array },
  float8e8m0: { onnx: 24, bits: 8, array: Uint8Array },
  uint2: { onnx: 25, bits: 2, array: Uint8Array },
  int2: { onnx: 26, bits: 2, array: Int8Array },
} satisfies Facts;

const BY_ONNX = new Map(Object.entries(ELEMENTS).map(([name, f]) => [f.onnx, name as ElementType]));

export const elementTypeOf = (onnx: number): ElementType | undefined => BY_ONNX.get(onnx);

/** Bytes of `count` elements; 0 for strings. */
export const byteLength = (type: ElementType, count: number): number => Math.ceil((count * ELEMENTS[type].bits) / 8);

/** Entries of the data array for `count` elements. */
export function dataLength(type: ElementType, count: number): number {
  const { bits, entries = 1 } = ELEMENTS[type];
  return bits > 0 && bits < 8 ? Math.ceil((count * bits) / 8) : count * entries;
}

/** Whether data is an array of this class, from any realm. */
export const isArrayOf = <A extends TypedArrayConstructor>(array: A, data: unknown): data is InstanceType<A> =>
  data instanceof array || kindOf(data) === array.name;

export const isFloat = (type: ElementType): boolean => /^(b?float|complex)/.test(type);

/** The least and the largest integer of a type. */
export function rangeOf(type: ElementType): readonly [number, number] {
  const { bits } = ELEMENTS[type];
  return type.startsWith('u') ? [0, 2 ** bits - 1] : [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1];
}

export const isInteger = (type: ElementType): boolean => /^u?int/.test(type);
