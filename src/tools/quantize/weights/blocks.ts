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

/** Numbers from 2^52 on have no fraction: adding it rounds. */
const SHIFT = 3 * 2 ** 51;

/** The nearest integer, the even one of two, as numpy and torch round. */
export const roundHalfEven = (x: number): number => (Math.abs(x) < 2 ** 51 ? x + SHIFT - SHIFT : x);

/** The code of a number of steps from 0 to `most`. */
export function codeOf(steps: number, most: number): number {
  if (steps <= 0) return 0;
  return steps >= most ? most : steps + SHIFT - SHIFT;
}

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
    for (let at = 0; at < stride; at++) {
      const end = (row + 1) * width;
      let byte = 0;
      for (let i = 0, from = row * width + at * perByte; i < perByte && from + i < end; i++)
        byte |= (codes[from + i] as number) << (i * bits);
      bytes[row * stride + at] = byte;
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
