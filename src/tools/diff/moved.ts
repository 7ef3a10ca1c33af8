/** The positions of out-of-order elements: all except a longest increasing subsequence. Elements are unique. */
export function moved(list: readonly number[]): number[] {
  /** For each length, the position of the smallest last element of an increasing subsequence. */
  const ends: number[] = [];
  const before = list.map((number, i) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((list[ends[middle] as number] as number) < number) low = middle + 1;
      else high = middle;
    }
    ends[low] = i;
    return ends[low - 1];
  });
  const rising = new Set<number>();
  for (let i = ends.at(-1); i !== undefined; i = before[i]) rising.add(i);
  return [...list.keys()].filter((i) => !rising.has(i));
}
