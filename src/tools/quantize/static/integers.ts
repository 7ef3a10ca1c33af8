/** The integer types of static quantization. */
export const INTEGER_TYPES = ['int8', 'uint8', 'int16', 'uint16', 'int4', 'uint4'] as const;
/** An integer type of quantized values. */
export type IntegerType = (typeof INTEGER_TYPES)[number];

export type Bounds = readonly [least: number, greatest: number];

/** The full range of each type. */
export const WHOLE: Readonly<Record<IntegerType, Bounds>> = {
  int8: [-128, 127],
  uint8: [0, 255],
  int16: [-32768, 32767],
  uint16: [0, 65535],
  int4: [-8, 7],
  uint4: [0, 15],
};

/** Ranges without the value that has no opposite. */
const EVEN: Partial<Record<IntegerType, Bounds>> = { int8: [-127, 127], int16: [-32767, 32767] };

/** Ranges with one bit less, as in onnxruntime. */
const REDUCED: Readonly<Record<IntegerType, Bounds>> = {
  int8: [-64, 64],
  uint8: [0, 127],
  int16: [-16384, 16384],
  uint16: [0, 32767],
  int4: [-4, 3],
  uint4: [0, 7],
};

export const boundsOf = (type: IntegerType, symmetric: boolean, reduced: boolean): Bounds =>
  reduced ? REDUCED[type] : ((symmetric ? EVEN[type] : undefined) ?? WHOLE[type]);

/** The unpacked array for codes of each type. */
export const ARRAYS = {
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  int4: Int8Array,
  uint4: Uint8Array,
} satisfies Record<IntegerType, unknown>;

export const isSigned = (type: IntegerType): boolean => type.startsWith('int');

/** Whether ONNX's QuantizeLinear supports the type only since opset 21. */
export const isLate = (type: IntegerType): boolean => !type.endsWith('8');
