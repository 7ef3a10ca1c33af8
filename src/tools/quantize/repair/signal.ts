/** Sums of squares of exact values and of errors. */
export interface Signal {
  power: number;
  noise: number;
}

export const silence = (): Signal => ({ power: 0, noise: 0 });

export function hear(signal: Signal, exact: ArrayLike<number>, found: ArrayLike<number>): void {
  for (let i = 0; i < exact.length; i++) {
    const x = exact[i] as number;
    const error = x - (found[i] as number);
    signal.power += x * x;
    signal.noise += error * error;
  }
}

/** The signal-to-quantization-noise ratio in decibels: 20 for an error of a tenth, Infinity for none. */
export const decibels = ({ power, noise }: Signal): number =>
  noise === 0 ? Number.POSITIVE_INFINITY : 10 * Math.log10(power / noise);
