const f32 = new Float32Array(1);
const u32 = new Uint32Array(f32.buffer);

const bitsOf = (x: number): number => {
  f32[0] = x;
  return u32[0] as number;
};

const floatOf = (bits: number): number => {
  u32[0] = bits;
  return f32[0] as number;
};

/** IEEE 754 binary16: sign 1, exponent 5, fraction 10. */
export function fromFloat16(half: number): number {
  const exponent = (half >> 10) & 31;
  const fraction = half & 1023;
  const sign = half & 0x8000 ? -1 : 1;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25);
}

/** Nearest binary16, ties to even. */
export function toFloat16(x: number): number {
  const sign = Object.is(x, -0) || x < 0 ? 0x8000 : 0;
  const magnitude = Math.abs(x);
  if (Number.isNaN(x)) return 0x7e00;
  if (magnitude >= 65520) return sign | 0x7c00;
  const exponent = Math.max(Math.floor(Math.log2(magnitude)), -14);
  const scaled = roundHalfEven(magnitude / 2 ** (exponent - 10));
  return sign | (scaled + (magnitude < 2 ** -14 ? 0 : (exponent + 14) << 10));
}

function roundHalfEven(x: number): number {
  const floor = Math.floor(x);
  const rest = x - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
}

/** bfloat16: the upper half of a float32. */
export const fromBfloat16 = (bits: number): number => floatOf(bits << 16);

/** Nearest bfloat16, ties to even. */
export function toBfloat16(x: number): number {
  if (Number.isNaN(x)) return 0x7fc0;
  const bits = bitsOf(x);
  return (bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16;
}
