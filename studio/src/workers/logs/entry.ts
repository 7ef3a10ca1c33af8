/** The left edge, right edge and count of each bucket, without empty ones at both ends: the format of all histograms here. */
export function bucketsOf(edges: ArrayLike<number>, counts: ArrayLike<number>): Float64Array {
  const isFull = (i: number) => (counts[i] as number) > 0;
  let [first, last] = [0, Math.min(counts.length, edges.length - 1) - 1];
  while (first <= last && !isFull(first)) first++;
  while (last > first && !isFull(last)) last--;
  const buckets = new Float64Array(Math.max(0, last - first + 1) * 3);
  for (let i = first; i <= last; i++)
    buckets.set([edges[i] as number, edges[i + 1] as number, counts[i] as number], (i - first) * 3);
  return buckets;
}
