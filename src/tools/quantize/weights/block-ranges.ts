/** The minimum and maximum of each block. */
export interface BlockRanges {
  readonly least: Float32Array;
  readonly greatest: Float32Array;
}

const SIGN = -(2 ** 31);
const MAGNITUDE = 2 ** 31 - 1;

/**
 * Finds the ranges of blocks of finite numbers. Float bits of equal sign are ordered by magnitude, so that integers can
 * be compared without branches; random data would be mispredicted half the time.
 */
export function rangesOf(values: Float32Array, block: number): BlockRanges {
  const count = values.length / block;
  const [least, greatest] = [new Float32Array(count), new Float32Array(count)];
  const [lowest, highest] = [new Int32Array(least.buffer), new Int32Array(greatest.buffer)];
  const bits = new Int32Array(values.buffer, values.byteOffset, values.length);
  for (let b = 0; b < count; b++) {
    let [above, below] = [0, 0];
    for (let i = b * block; i < (b + 1) * block; i++) {
      const x = bits[i] as number;
      const sign = x >> 31;
      const higher = (x & ~sign) - above;
      const lower = (x & sign & MAGNITUDE) - below;
      above += higher & ~(higher >> 31);
      below += lower & ~(lower >> 31);
    }
    lowest[b] = below | SIGN;
    highest[b] = above;
    if (above === 0 || below === 0) setRange(values, b, block, least, greatest);
  }
  return { least, greatest };
}

/** The range of a block whose values all have the same sign. */
function setRange(values: Float32Array, b: number, block: number, least: Float32Array, greatest: Float32Array): void {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = b * block; i < (b + 1) * block; i++) {
    const x = values[i] as number;
    if (x < low) low = x;
    if (x > high) high = x;
  }
  least[b] = low;
  greatest[b] = high;
}
