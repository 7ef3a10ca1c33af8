import { account } from '../account.js';
import { numbersOf, tensorOf } from '../tensor/numbers.js';
import { elementCount, type TensorValue } from '../tensor/tensor-value.js';
import type { AttentionGeometry } from './attention-geometry.js';

interface Operands {
  readonly q: TensorValue;
  readonly k: TensorValue;
  readonly v: TensorValue;
  readonly mask: TensorValue | undefined;
  readonly lengths: TensorValue | undefined;
}

/** The attention kernel's formula in double precision. */
export function attendOnHost({ q, k, v, mask, lengths }: Operands, g: AttentionGeometry, dims: readonly number[]) {
  const [qs, ks, vs] = [q, k, v].map(numbersOf) as [ArrayLike<number>, ArrayLike<number>, ArrayLike<number>];
  const [added, limits] = [mask, lengths].map((x) => x && numbersOf(x));
  const y = new Float64Array(elementCount(dims));
  for (let b = 0; b < g.batch; b++) {
    const keys = Math.min(g.keyLength, limits?.[b] ?? g.keyLength);
    const offset = limits ? (limits[b] as number) - g.queryLength : g.causalOffset;
    for (let h = 0; h < g.heads; h++) {
      const shared = Math.floor((h * g.kvHeads) / g.heads);
      const [kAt, vAt] = [b * g.kBatchStride + shared * g.kHeadStride, b * g.vBatchStride + shared * g.vHeadStride];
      for (let i = 0; i < g.queryLength; i++) {
        const qAt = b * g.qBatchStride + h * g.qHeadStride + i * g.qRowStride;
        const maskAt = b * g.maskBatchStride + h * g.maskHeadStride + i * g.maskRowStride;
        const seen = g.causal ? Math.min(keys, i + offset + 1) : keys;
        account()?.spend(seen * (g.headSize + g.valueSize));
        const scores = Array.from({ length: Math.max(seen, 0) }, (_, j) => {
          let score = 0;
          for (let e = 0; e < g.headSize; e++)
            score += (qs[qAt + e] as number) * (ks[kAt + j * g.kRowStride + e] as number);
          const scaled = g.softcap ? g.softcap * Math.tanh((score * g.scale) / g.softcap) : score * g.scale;
          return scaled + (added ? (added[maskAt + j * g.maskColumnStride] as number) : 0);
        });
        const shares = softmax(scores);
        const yAt = b * g.yBatchStride + h * g.yHeadStride + i * g.yRowStride;
        for (let e = 0; e < g.valueSize; e++) {
          let sum = 0;
          shares.forEach((share, j) => {
            sum += share * (vs[vAt + j * g.vRowStride + e] as number);
          });
          y[yAt + e] = sum;
        }
      }
    }
  }
  return tensorOf(q.type, dims, y);
}

/** Weights that add up to 1, or none if every score is −∞. */
function softmax(scores: readonly number[]): number[] {
  const largest = Math.max(...scores);
  if (largest === Number.NEGATIVE_INFINITY) return [];
  const powers = scores.map((score) => Math.exp(score - largest));
  const total = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / total);
}
