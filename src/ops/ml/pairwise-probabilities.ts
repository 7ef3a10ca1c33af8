const LEAST = 1e-7;
const MAX_ROUNDS = 100;

/**
 * Class probabilities from the probabilities of each pair (i before j; of being i), by the iteration of Wu, Lin and Weng, "Probability
 * Estimates for Multi-class Classification by Pairwise Coupling" (2004), second approach, with libsvm's stopping criterion.
 */
export function pairwiseProbabilities(pairs: readonly number[], classes: number): number[] {
  const r = Array.from({ length: classes }, () => new Float64Array(classes));
  let pair = 0;
  for (let i = 0; i < classes; i++)
    for (let j = i + 1; j < classes; j++) {
      const p = Math.min(Math.max(pairs[pair++] as number, LEAST), 1 - LEAST);
      (r[i] as Float64Array)[j] = p;
      (r[j] as Float64Array)[i] = 1 - p;
    }
  const at = (i: number, j: number) => r[i]?.[j] as number;
  const range = Array.from({ length: classes }, (_, i) => i);
  const q = range.map((i) =>
    range.map((j) => (i === j ? range.reduce((sum, k) => sum + at(k, i) ** 2, 0) : -at(j, i) * at(i, j))),
  );

  let p = range.map(() => 1 / classes);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    let qp = q.map((row) => product(row, p));
    let pqp = product(p, qp);
    if (Math.max(...qp.map((value) => Math.abs(value - pqp))) < 0.005 / classes) break;
    for (const t of range) {
      const row = q[t] as number[];
      const diagonal = row[t] as number;
      const step = (pqp - (qp[t] as number)) / diagonal;
      const scale = 1 + step;
      pqp = (pqp + step * (step * diagonal + 2 * (qp[t] as number))) / scale ** 2;
      qp = qp.map((value, j) => (value + step * (row[j] as number)) / scale);
      p = p.map((value, j) => (j === t ? value + step : value) / scale);
    }
  }
  return p;
}

const product = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, x, i) => sum + x * (b[i] as number), 0);
