/** What a row of weights is rounded to, and what it is multiplied by. */
export interface Row {
  readonly weights: ArrayLike<number>;
  /** The steps and zero points of its numbers. */
  readonly scales: ArrayLike<number>;
  readonly zeros: ArrayLike<number>;
  readonly least: number;
  readonly greatest: number;
  /** XᵀX of what it is multiplied by, from `at` on. */
  readonly gram: Float64Array;
  readonly at: number;
}

const clamp = (x: number, { least, greatest }: Row): number => Math.min(Math.max(x, least), greatest);

/** Changes that gain less than this share of the loss are none. */
const NOTHING = 1e-9;

/**
 * Integers next to each weight, above or below, by which products err less: from what is nearest on, the one number that
 * gains most is rounded the other way, until none gains. Loss is (Δw)ᵀ·XᵀX·Δw, AdaRound's own (Nagel et al. 2020,
 * https://arxiv.org/abs/2004.10568), which goes down with each step.
 */
export function bestRounding(row: Row): Float64Array {
  const { weights, scales, zeros, gram, at } = row;
  const width = weights.length;
  const codes = Float64Array.from(weights, (w, i) =>
    clamp(Math.round((w as number) / (scales[i] as number)) + (zeros[i] as number), row),
  );
  const errors = codes.map((code, i) => (scales[i] as number) * (code - (zeros[i] as number)) - (weights[i] as number));
  const slopes = errors.map((_, i) => {
    let slope = 0;
    for (let j = 0; j < width; j++) slope += (gram[at + i * width + j] as number) * (errors[j] as number);
    return slope;
  });
  const loss = slopes.reduce((sum, slope, i) => sum + slope * (errors[i] as number), 0);
  for (;;) {
    let [best, most, by] = [-1, -NOTHING * loss, 0];
    for (let i = 0; i < width; i++) {
      const step = (errors[i] as number) > 0 ? -(scales[i] as number) : (scales[i] as number);
      const gain = step * (2 * (slopes[i] as number) + step * (gram[at + i * width + i] as number));
      if (gain < most && mayMove(row, codes[i] as number, errors[i] as number, step))
        [best, most, by] = [i, gain, step];
    }
    if (best < 0) return codes;
    codes[best] = (codes[best] as number) + Math.sign(by);
    errors[best] = (errors[best] as number) + by;
    for (let j = 0; j < width; j++) slopes[j] = (slopes[j] as number) + by * (gram[at + best * width + j] as number);
  }
}

/** A weight stays between its two neighbors, and a code within its type. */
function mayMove({ least, greatest }: Row, code: number, error: number, step: number): boolean {
  const moved = code + Math.sign(step);
  return moved >= least && moved <= greatest && Math.abs(error + step) <= Math.abs(step);
}
