import { rangesOf } from './block-ranges.js';
import { blankCodes, type Codes, clamp, type Grid, inOrder } from './blocks.js';

const { fround } = Math;

/** Rounds halves away from 0. */
const awayFromZero = (x: number): number => Math.sign(x) * Math.floor(Math.abs(x) + 0.5);

function levelsOf(least: number, greatest: number, { bits, symmetric }: Grid): readonly [number, number] {
  const half = 1 << (bits - 1);
  if (symmetric) return [fround((Math.abs(greatest) > Math.abs(least) ? greatest : least) / -half), half];
  const [from, to] = [Math.min(least, 0), Math.max(greatest, 0)];
  const scale = fround(fround(to - from) / (2 * half - 1));
  return [scale, scale === 0 ? 0 : clamp(awayFromZero(fround(-fround(from / scale))), 0, 2 * half - 1)];
}

/**
 * Rounds as onnxruntime does if no algorithm is given, in single precision. Ranges include 0. In symmetric mode, the
 * value furthest from 0 becomes the lowest code, so that all codes are used.
 */
export function roundFromZero(
  values: Float32Array,
  grid: Grid,
  found = blankCodes(values.length, grid),
  place = inOrder,
): Codes {
  const { bits, block } = grid;
  const most = (1 << bits) - 1;
  const { codes, scales, zeros } = found;
  const { least, greatest } = rangesOf(values, block);
  for (let b = 0; b < least.length; b++) {
    const [scale, zero] = levelsOf(least[b] as number, greatest[b] as number, grid);
    const to = place(b);
    round(values, b * block, codes, to * block, block, scale === 0 ? 0 : fround(1 / scale), zero, most);
    scales[to] = scale;
    if (zeros) zeros[to] = zero;
  }
  return found;
}

/** Computes the codes of a block. */
function round(
  values: Float32Array,
  begin: number,
  codes: Uint8Array,
  to: number,
  count: number,
  inverse: number,
  zero: number,
  most: number,
): void {
  for (let i = 0; i < count; i++) {
    const steps = fround(fround((values[begin + i] as number) * inverse) + zero);
    codes[to + i] = steps <= 0 ? 0 : Math.min(steps + 0.5, most);
  }
}
