/** How numbers are written down. */
export interface Grid {
  readonly bits: 2 | 4 | 8;
  /** How many share a scale. */
  readonly block: number;
  readonly symmetric: boolean;
}

/** Blocks one behind the other, rounded to integers from 0 to 2^bits - 1. */
export interface Codes {
  readonly codes: Uint8Array;
  readonly scales: Float32Array;
  /** One for each block: integers, or any numbers; 2^(bits - 1) for all where they are left out. */
  readonly zeros: Uint8Array | Float32Array | undefined;
}

/** Rounds blocks of `grid.block` numbers. */
export type Method = (values: Float32Array, grid: Grid) => Codes;

const SHIFT = 3 * 2 ** 51;

/** The nearest integer, the even one of two, as numpy and torch round. */
export const roundHalfEven = (x: number): number => (Math.abs(x) < 2 ** 51 ? x + SHIFT - SHIFT : x);

export const clamp = (x: number, least: number, most: number): number => Math.min(Math.max(x, least), most);

export const zerosOf = ({ bits, symmetric }: Grid, count: number): Uint8Array | undefined =>
  symmetric ? undefined : new Uint8Array(count).fill(2 ** (bits - 1));

/** Integers of `bits` in bytes, low bits first; each of `rows` begins with a byte, and what is left over is 0. */
export function packed(codes: Uint8Array, bits: number, rows: number): Uint8Array {
  if (bits === 8) return codes;
  const perByte = 8 / bits;
  const width = codes.length / rows;
  const stride = Math.ceil(width / perByte);
  const bytes = new Uint8Array(rows * stride);
  for (let row = 0; row < rows; row++)
    for (let i = 0; i < width; i++) {
      const at = row * stride + Math.floor(i / perByte);
      bytes[at] = (bytes[at] as number) | ((codes[row * width + i] as number) << ((i % perByte) * bits));
    }
  return bytes;
}

/** What codes stand for. */
export function restored({ codes, scales, zeros }: Codes, { bits, block }: Grid): Float32Array {
  const values = new Float32Array(codes.length);
  for (let i = 0; i < codes.length; i++) {
    const b = Math.floor(i / block);
    values[i] = ((codes[i] as number) - (zeros ? (zeros[b] as number) : 2 ** (bits - 1))) * (scales[b] as number);
  }
  return values;
}
