import { rangesOf } from './block-ranges.js';
import { type Codes, clamp, type Grid, zerosOf } from './blocks.js';

const { fround } = Math;

/** Halves go away from 0. */
const round = (x: number): number => Math.sign(x) * Math.floor(Math.abs(x) + 0.5);

function levelsOf(least: number, greatest: number, { bits, symmetric }: Grid): readonly [number, number] {
  const half = 1 << (bits - 1);
  if (symmetric) return [fround((Math.abs(greatest) > Math.abs(least) ? greatest : least) / -half), half];
  const [from, to] = [Math.min(least, 0), Math.max(greatest, 0)];
  const scale = fround(fround(to - from) / (2 * half - 1));
  return [scale, scale === 0 ? 0 : clamp(round(fround(-fround(from / scale))), 0, 2 * half - 1)];
}

/**
 * What onnxruntime does where no algorithm is named, in single precision: ranges have 0 in them; symmetric, the number
 * furthest from 0 becomes the least code, so that none is wasted.
 */
export function roundFromZero(values: Float32Array, grid: Grid): Codes {
  const { bits, block } = grid;
  const count = values.length / block;
  const most = (1 << bits) - 1;
  const [codes, scales, zeros] = [new Uint8Array(values.length), new Float32Array(count), zerosOf(grid, count)];
  const { least, greatest } = rangesOf(values, block);
  for (let b = 0; b < count; b++) {
    const [begin, end] = [b * block, (b + 1) * block];
    const [scale, zero] = levelsOf(least[b] as number, greatest[b] as number, grid);
    const inverse = scale === 0 ? 0 : fround(1 / scale);
    for (let i = begin; i < end; i++) {
      const steps = fround(fround((values[i] as number) * inverse) + zero);
      codes[i] = steps <= 0 ? 0 : Math.min(steps + 0.5, most);
    }
    scales[b] = scale;
    if (zeros) zeros[b] = zero;
  }
  return { codes, scales, zeros };
}
