import { UMAP } from 'umap-js';

/** A deterministic random generator in [0, 1), so that the same points are always drawn in the same places. */
function evenly(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const NEIGHBOURS = 15;

/** Projects points of `size` dimensions onto a plane, [count, 2], with UMAP: points close in all dimensions stay close. */
export function neighbours(vectors: Float32Array, size: number): Float32Array {
  const count = vectors.length / size;
  if (count < 4) throw new Error(`UMAP needs at least 4 points, and there are ${count}`);
  const rows = Array.from({ length: count }, (_, i) => Array.from(vectors.subarray(i * size, (i + 1) * size)));
  const umap = new UMAP({ nComponents: 2, nNeighbors: Math.min(NEIGHBOURS, count - 1), random: evenly() });
  return Float32Array.from(umap.fit(rows).flat());
}
