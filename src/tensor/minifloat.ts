import type { ElementType } from './element-types.js';

/** A binary format of up to 8 bits. Codes up to `max` are numbers; `beyond` is the code for overflow without saturation. */
interface Format {
  readonly mantissaBits: number;
  readonly bias: number;
  readonly signBit: number;
  readonly max: number;
  readonly beyond: number;
  readonly nan: number;
  /** Whether the code of −0 is the only NaN. */
  readonly isUnsignedZero?: boolean;
}

/** https://onnx.ai/onnx/technical/float8.html and float4.html */
const FORMATS: Partial<Record<ElementType, Format>> = {
  float8e4m3fn: { mantissaBits: 3, bias: 7, signBit: 0x80, max: 0x7e, beyond: 0x7f, nan: 0x7f },
  float8e4m3fnuz: { mantissaBits: 3, bias: 8, signBit: 0x80, max: 0x7f, beyond: 0x80, nan: 0x80, isUnsignedZero: true },
  float8e5m2: { mantissaBits: 2, bias: 15, signBit: 0x80, max: 0x7b, beyond: 0x7c, nan: 0x7f },
  float8e5m2fnuz: {
    mantissaBits: 2,
    bias: 16,
    signBit: 0x80,
    max: 0x7f,
    beyond: 0x80,
    nan: 0x80,
    isUnsignedZero: true,
  },
  float4e2m1: { mantissaBits: 1, bias: 1, signBit: 0x8, max: 0x7, beyond: 0x7, nan: 0 },
};

export const isMinifloat = (type: ElementType): boolean => type in FORMATS || type === 'float8e8m0';

export type RoundMode = 'up' | 'down' | 'nearest';

const decoded = new Map<ElementType, Float64Array>();

/** The value of every code. */
export function minifloatValues(type: ElementType): Float64Array {
  const known = decoded.get(type);
  if (known) return known;
  const format = FORMATS[type];
  const values = Float64Array.from({ length: 256 }, (_, code) =>
    format ? decode(format, code) : code === 255 ? Number.NaN : 2 ** (code - 127),
  );
  decoded.set(type, values);
  return values;
}

function decode({ mantissaBits, bias, signBit, max, beyond, nan, isUnsignedZero }: Format, code: number): number {
  const magnitude = code & (signBit - 1);
  const sign = code & signBit ? -1 : 1;
  if (isUnsignedZero && code === nan) return Number.NaN;
  if (magnitude > max) return magnitude === beyond && beyond !== nan ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  const exponent = magnitude >> mantissaBits;
  const fraction = (magnitude & ((1 << mantissaBits) - 1)) / (1 << mantissaBits);
  return sign * (exponent === 0 ? fraction * 2 ** (1 - bias) : (1 + fraction) * 2 ** (exponent - bias));
}

/** The code of the nearest value, ties to even. Overflow becomes the largest value if `saturate`. */
export function toMinifloat(type: ElementType, x: number, saturate: boolean, mode: RoundMode): number {
  const format = FORMATS[type];
  return format ? encode(format, x, saturate) : encodeExponent(x, saturate, mode);
}

function encode(
  { mantissaBits, bias, signBit, max, beyond, nan, isUnsignedZero }: Format,
  x: number,
  saturate: boolean,
) {
  if (Number.isNaN(x)) return nan;
  const sign = x < 0 || Object.is(x, -0) ? signBit : 0;
  const magnitude = Math.abs(x);
  const exponent = Math.max(Math.floor(Math.log2(magnitude)), 1 - bias);
  const steps = magnitude === Number.POSITIVE_INFINITY ? magnitude : magnitude / 2 ** (exponent - mantissaBits);
  const code = roundHalfEven(steps) + ((exponent - 1 + bias) << mantissaBits);
  if (!(code <= max)) return saturate ? sign | max : isUnsignedZero ? beyond : sign | beyond;
  return isUnsignedZero && code === 0 ? 0 : sign | code;
}

/** Encodes float8e8m0, which has only powers of two: 2^(code − 127). */
function encodeExponent(x: number, saturate: boolean, mode: RoundMode): number {
  if (Number.isNaN(x) || x < 0) return 255;
  const exponent = Math.log2(x);
  const rounded = mode === 'up' ? Math.ceil(exponent) : mode === 'down' ? Math.floor(exponent) : nearestPower(x);
  if (rounded > 127) return saturate ? 254 : 255;
  if (rounded < -127) return saturate ? 0 : 255;
  return rounded + 127;
}

/** The exponent of the nearest power of two; ties go to the larger. */
function nearestPower(x: number): number {
  const floor = Math.floor(Math.log2(x));
  return x >= 1.5 * 2 ** floor ? floor + 1 : floor;
}

function roundHalfEven(x: number): number {
  const floor = Math.floor(x);
  const rest = x - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
}
