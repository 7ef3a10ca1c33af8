/** Sums of squares: of what something is, and of what something else is off by. */
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

/** Signal to quantization noise in decibels: 20 is a tenth off, Infinity nothing. */
export const decibels = ({ power, noise }: Signal): number =>
  noise === 0 ? Number.POSITIVE_INFINITY : 10 * Math.log10(power / noise);
