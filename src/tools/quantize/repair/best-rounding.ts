/** A row of weights to round. */
export interface Row {
  readonly weights: ArrayLike<number>;
  /** The scales and zero points of the weights. */
  readonly scales: ArrayLike<number>;
  readonly zeros: ArrayLike<number>;
  readonly least: number;
  readonly greatest: number;
  /** XᵀX of the inputs X, starting at `at`. */
  readonly gram: Float64Array;
  readonly at: number;
}

const clamp = (x: number, { least, greatest }: Row): number => Math.min(Math.max(x, least), greatest);

/** Changes that reduce the loss by less than this fraction are ignored. */
const NOTHING = 1e-9;

/**
 * Rounds each weight up or down to minimize the error of products. Starting from the nearest codes, it repeatedly
 * changes the rounding of the weight that reduces the loss most, until none does. The loss is (Δw)ᵀ·XᵀX·Δw, as in
 * AdaRound (Nagel et al. 2020, https://arxiv.org/abs/2004.10568).
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

/** Whether a code stays within its type and next to the weight. */
function mayMove({ least, greatest }: Row, code: number, error: number, step: number): boolean {
  const moved = code + Math.sign(step);
  return moved >= least && moved <= greatest && Math.abs(error + step) <= Math.abs(step);
}
