import { rangesOf } from './block-ranges.js';
import { blankCodes, type Codes, clamp, type Grid, inOrder, roundHalfEven } from './blocks.js';

/** The scale and zero point of a range. In symmetric mode, the range is symmetric around 0. */
export function levelsOf(least: number, greatest: number, { bits, symmetric }: Grid): readonly [number, number] {
  const most = (1 << bits) - 1;
  const reach = symmetric ? 2 * Math.max(Math.abs(least), Math.abs(greatest)) : Math.fround(greatest - least);
  const scale = reach > 0 ? reach / most : 1;
  return [scale, symmetric ? (most + 1) / 2 : clamp(roundHalfEven(-least / scale), 0, most)];
}

/** Computes the codes of a block. Uint8ClampedArray rounds halves to even: https://tc39.es/ecma262/#sec-touint8clamp */
function round(
  values: Float32Array,
  begin: number,
  codes: Uint8ClampedArray,
  to: number,
  count: number,
  scale: number,
  zero: number,
  most: number,
): void {
  for (let i = 0; i < count; i++) codes[to + i] = Math.min((values[begin + i] as number) / scale + zero, most);
}

/** Rounds to the nearest of 2^bits levels between the minimum and maximum of each block, in double precision. */
export function roundToNearest(
  values: Float32Array,
  grid: Grid,
  found = blankCodes(values.length, grid),
  place = inOrder,
): Codes {
  const { bits, block } = grid;
  const most = 2 ** bits - 1;
  const { codes, scales, zeros } = found;
  const clamped = new Uint8ClampedArray(codes.buffer, codes.byteOffset, codes.length);
  const { least, greatest } = rangesOf(values, block);
  for (let b = 0; b < least.length; b++) {
    const [scale, zero] = levelsOf(least[b] as number, greatest[b] as number, grid);
    const to = place(b);
    round(values, b * block, clamped, to * block, block, scale, zero, most);
    scales[to] = scale;
    if (zeros) zeros[to] = zero;
  }
  return found;
}
