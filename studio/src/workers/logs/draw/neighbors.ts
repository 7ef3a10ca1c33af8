import { UMAP } from 'umap-js';

/** Always the same numbers from 0 to below 1: the same points are drawn in the same places. */
function evenly(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const NEIGHBOURS = 15;

/** Points of `size` dimensions on a plane, [count, 2], near each other where they are so in all dimensions: UMAP. */
export function neighbours(vectors: Float32Array, size: number): Float32Array {
  const count = vectors.length / size;
  if (count < 4) throw new Error(`UMAP needs at least 4 points, and there are ${count}`);
  const rows = Array.from({ length: count }, (_, i) => Array.from(vectors.subarray(i * size, (i + 1) * size)));
  const umap = new UMAP({ nComponents: 2, nNeighbors: Math.min(NEIGHBOURS, count - 1), random: evenly() });
  return Float32Array.from(umap.fit(rows).flat());
}
