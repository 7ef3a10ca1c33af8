import type { Embedding } from '../../contracts/log-entries.js';
import type { Method, Projection } from '../../contracts/logs.js';
import { principal } from './principal.js';

/** Projects points onto a plane: by their two principal components, or by their neighbors. */
export async function projected({ vectors, count, labels }: Embedding, method: Method): Promise<Projection> {
  const size = vectors.length / count;
  const texts = Array.from({ length: count }, (_, i) => labels[i]?.join(' · ') ?? `${i}`);
  if (method === 'pca') return { ...principal(vectors, size, 2), labels: texts };
  const { neighbours } = await import('./neighbors.js');
  return { points: neighbours(vectors, size), shares: [], labels: texts };
}
