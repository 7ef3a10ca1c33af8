/** The format of quantized weights. */
export interface Grid {
  readonly bits: 2 | 4 | 8;
  /** The number of weights that share a scale. */
  readonly block: number;
  readonly symmetric: boolean;
}

/** Quantized blocks with integers from 0 to 2^bits - 1. */
export interface Codes {
  readonly codes: Uint8Array;
  readonly scales: Float32Array;
  /** The zero point of each block: integers, or any numbers. Default: 2^(bits - 1). */
  readonly zeros: Uint8Array | Float32Array | undefined;
}

/** Quantizes blocks of `grid.block` values. */
export type Method = (values: Float32Array, grid: Grid) => Codes;

/** The position of a block in the result. */
export type Place = (block: number) => number;

/** Quantizes blocks independently, into existing memory if given. */
export type LocalMethod = (values: Float32Array, grid: Grid, found?: Codes, place?: Place) => Codes;

export const inOrder: Place = (block) => block;

/** Adding and subtracting this number rounds half to even, as doubles from 2^52 on have no fraction. */
export const SHIFT = 3 * 2 ** 51;

/** Rounds to the nearest integer, halves to even, as NumPy and PyTorch do. */
export const roundHalfEven = (x: number): number => (Math.abs(x) < 2 ** 51 ? x + SHIFT - SHIFT : x);

/** Rounds to an integer from 0 to `most`. */
export function codeOf(steps: number, most: number): number {
  if (steps <= 0) return 0;
  return steps >= most ? most : steps + SHIFT - SHIFT;
}

export const clamp = (x: number, least: number, most: number): number => Math.min(Math.max(x, least), most);

export const zerosOf = ({ bits, symmetric }: Grid, count: number): Uint8Array | undefined =>
  symmetric ? undefined : new Uint8Array(count).fill(2 ** (bits - 1));

/** Allocates codes, scales and zero points. */
export const blankCodes = (size: number, grid: Grid, zeros = zerosOf(grid, size / grid.block)): Codes => ({
  codes: new Uint8Array(size),
  scales: new Float32Array(size / grid.block),
  zeros,
});

/** Packs codes in place. The codes in the bytes of a word are joined to one byte. */
const JOINED = {
  2(codes: Uint8Array): Uint8Array {
    const words = new Uint32Array(codes.buffer, codes.byteOffset, codes.length / 4);
    const bytes = codes.subarray(0, words.length);
    for (let i = 0; i < bytes.length; i++) {
      const word = words[i] as number;
      bytes[i] = word | (word >> 6) | (word >> 12) | (word >> 18);
    }
    return bytes;
  },
  4(codes: Uint8Array): Uint8Array {
    const words = new Uint16Array(codes.buffer, codes.byteOffset, codes.length / 2);
    const bytes = codes.subarray(0, words.length);
    for (let i = 0; i < bytes.length; i++) {
      const word = words[i] as number;
      bytes[i] = word | (word >> 4);
    }
    return bytes;
  },
  8: (codes: Uint8Array): Uint8Array => codes,
};

/**
 * Packs integers of `bits` into bytes, low bits first, in place if possible. Each row starts at a byte and is padded
 * with 0.
 */
export function packed(codes: Uint8Array, bits: Grid['bits'], rows: number): Uint8Array {
  const width = codes.length / rows;
  const stride = Math.ceil((width * bits) / 8) * (8 / bits);
  if (stride === width && codes.byteOffset % 4 === 0) return JOINED[bits](codes);
  const own = new Uint8Array(rows * stride);
  for (let row = 0; row < rows; row++) own.set(codes.subarray(row * width, (row + 1) * width), row * stride);
  return JOINED[bits](own);
}

/** Dequantizes codes. */
export function restored({ codes, scales, zeros }: Codes, { bits, block }: Grid): Float32Array {
  const values = new Float32Array(codes.length);
  for (let i = 0; i < codes.length; i++) {
    const b = Math.floor(i / block);
    values[i] = ((codes[i] as number) - (zeros ? (zeros[b] as number) : 2 ** (bits - 1))) * (scales[b] as number);
  }
  return values;
}
