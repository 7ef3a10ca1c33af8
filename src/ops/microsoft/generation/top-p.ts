import { logSoftmaxRows } from './decoder.js';

export interface TopP {
  readonly topP: number;
  /** Score of tokens that are filtered out. */
  readonly filterValue: number;
  readonly minTokens: number;
}

/** Cumulative probabilities of the tokens in `order`. */
function cumulated(scores: Float32Array, order: readonly number[]): Float32Array {
  const sums = Float32Array.from(order, (token) => scores[token] as number);
  logSoftmaxRows(sums, sums.length);
  sums.forEach((log, i) => {
    sums[i] = Math.exp(log) + (i > 0 ? (sums[i - 1] as number) : 0);
  });
  return sums;
}

const rising = (scores: Float32Array) =>
  Array.from(scores.keys()).sort((a, b) => (scores[a] as number) - (scores[b] as number));

/** Filters out the least likely tokens with a total probability up to 1 − topP, but keeps the `minTokens` likeliest. */
export function filterLeast(scores: Float32Array, { topP, filterValue, minTokens }: TopP): void {
  const order = rising(scores);
  const sums = cumulated(scores, order);
  const most = Math.fround(1 - topP);
  for (let i = 0; i < Math.max(order.length - minTokens, 1); i++)
    if ((sums[i] as number) <= most) scores[order[i] as number] = filterValue;
}

/** Keeps the likeliest tokens until their total probability exceeds topP. */
export function filterBeyond(scores: Float32Array, { topP, filterValue }: TopP): void {
  const order = rising(scores).reverse();
  const sums = cumulated(scores, order);
  for (let i = 0; i + 1 < order.length; i++)
    if ((sums[i] as number) > topP) scores[order[i + 1] as number] = filterValue;
}

/** Draws a token; scores are log probabilities up to a constant, and `uniform` is in 0 … 1. */
export function drawn(scores: Float32Array, uniform: number): number {
  const finite = scores.filter(Number.isFinite);
  const most = finite.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  let total = 0;
  const sums = Float64Array.from(scores, (score) => {
    if (Number.isFinite(score)) total += Math.exp(score - most);
    return total;
  });
  return sums.findIndex((sum) => sum > uniform * total);
}
