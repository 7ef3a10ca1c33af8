/** What a model of ai.onnx.ml does with the scores of one row, in place. */
export type PostTransform = (scores: Float64Array, from: number, count: number) => void;

export const logistic = (x: number): number => 1 / (1 + Math.exp(-x));

/** Inverse of the normal distribution function through Winitzki's approximation of erf⁻¹. */
function probit(p: number): number {
  const x = 2 * p - 1;
  const l = Math.log((1 - x) * (1 + x));
  const v = 2 / (Math.PI * 0.147) + l / 2;
  return Math.SQRT2 * Math.sign(x) * Math.sqrt(Math.sqrt(v * v - l / 0.147) - v);
}

const each =
  (f: (x: number) => number): PostTransform =>
  (scores, from, count) => {
    for (let i = from; i < from + count; i++) scores[i] = f(scores[i] as number);
  };

/** Zeros stay what they are where `keepZeros`. */
const softmax =
  (keepZeros: boolean): PostTransform =>
  (scores, from, count) => {
    const row = scores.subarray(from, from + count);
    const peak = row.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
    const isKept = (x: number) => keepZeros && Math.abs(x) <= 1e-7;
    const exponentials = row.map((x) => (isKept(x) ? 0 : Math.exp(x - peak)));
    const total = exponentials.reduce((a, b) => a + b, 0);
    row.set(exponentials.map((e, i) => (isKept(row[i] as number) ? (row[i] as number) : e / total)));
  };

/** https://onnx.ai/onnx/operators/onnx_aionnxml_TreeEnsembleClassifier.html */
export const POST_TRANSFORMS: Record<string, PostTransform> = {
  NONE() {},
  LOGISTIC: each(logistic),
  PROBIT: each(probit),
  SOFTMAX: softmax(false),
  SOFTMAX_ZERO: softmax(true),
};
