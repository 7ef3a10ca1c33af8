import { rangesOf } from './block-ranges.js';
import { type Codes, clamp, type Grid, roundHalfEven, zerosOf } from './blocks.js';

/** Scale and zero point of a range: symmetric, the range is as far on both sides of 0. */
export function levelsOf(least: number, greatest: number, { bits, symmetric }: Grid): readonly [number, number] {
  const most = (1 << bits) - 1;
  const reach = symmetric ? 2 * Math.max(Math.abs(least), Math.abs(greatest)) : Math.fround(greatest - least);
  const scale = reach > 0 ? reach / most : 1;
  return [scale, symmetric ? (most + 1) / 2 : clamp(roundHalfEven(-least / scale), 0, most)];
}

/** Codes of a block. Arrays that clamp round halves to even: https://tc39.es/ecma262/#sec-touint8clamp */
function round(
  values: Float32Array,
  begin: number,
  end: number,
  scale: number,
  zero: number,
  most: number,
  codes: Uint8ClampedArray,
): void {
  for (let i = begin; i < end; i++) codes[i] = Math.min((values[i] as number) / scale + zero, most);
}

/** Rounds to the nearest of 2^bits numbers between the least and the greatest of each block, in double precision. */
export function roundToNearest(values: Float32Array, grid: Grid): Codes {
  const { bits, block } = grid;
  const count = values.length / block;
  const most = 2 ** bits - 1;
  const [codes, scales, zeros] = [new Uint8Array(values.length), new Float32Array(count), zerosOf(grid, count)];
  const clamped = new Uint8ClampedArray(codes.buffer);
  const { least, greatest } = rangesOf(values, block);
  for (let b = 0; b < count; b++) {
    const [begin, end] = [b * block, (b + 1) * block];
    const [scale, zero] = levelsOf(least[b] as number, greatest[b] as number, grid);
    round(values, begin, end, scale, zero, most, clamped);
    scales[b] = scale;
    if (zeros) zeros[b] = zero;
  }
  return { codes, scales, zeros };
}
