import type { Inference } from '../../schema/definition.js';

/** Post-transforms, in the order of their codes in TreeEnsemble. */
export const TRANSFORMS = ['NONE', 'SOFTMAX', 'LOGISTIC', 'SOFTMAX_ZERO', 'PROBIT'] as const;
export type Transform = (typeof TRANSFORMS)[number];

export function transformOf(c: Inference<unknown>, name: string): Transform {
  if (TRANSFORMS.includes(name as Transform)) return name as Transform;
  return c.fail('INVALID_ATTRIBUTE', `post_transform "${name}" is not one of ${TRANSFORMS.join(', ')}`);
}

/** Constant of Winitzki's approximation of the inverse error function, which ONNX and its runtimes use for PROBIT. */
const WINITZKI = 0.147;

function probit(p: number): number {
  const x = 2 * p - 1;
  const log = Math.log((1 - x) * (1 + x));
  const half = 2 / (Math.PI * WINITZKI) + 0.5 * log;
  const root = Math.sqrt(-half + Math.sqrt(half * half - log / WINITZKI));
  return Math.SQRT2 * (x < 0 ? -root : root);
}

/** Softmax over the scores that are not zero. Zeros stay zero, but become 0.5 if all are zero. */
function softmaxZero(scores: readonly number[]): number[] {
  const largest = Math.max(...scores);
  const powers = scores.map((x) => (Math.abs(x) > 1e-7 ? Math.exp(x - largest) : x * Math.exp(-largest)));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((x) => (sum === 0 ? 0.5 : x / sum));
}

function softmax(scores: readonly number[]): number[] {
  const largest = Math.max(...scores);
  const powers = scores.map((x) => Math.exp(x - largest));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((x) => x / sum);
}

export const logistic = (x: number): number => 1 / (1 + Math.exp(-x));

/** Applies the transform to the scores of one row. */
export function transformRow(scores: readonly number[], transform: Transform): number[] {
  if (transform === 'SOFTMAX') return softmax(scores);
  if (transform === 'SOFTMAX_ZERO') return softmaxZero(scores);
  if (transform === 'LOGISTIC') return scores.map(logistic);
  return transform === 'PROBIT' ? scores.map(probit) : [...scores];
}
