import type { Outline, Ragged } from './outline.js';

/** Row i of columns of lists. */
export const rowOf = ({ start, values }: Ragged, i: number): Int32Array => values.subarray(start[i], start[i + 1]);

/** The nodes that read a value, including those that read it in a subgraph. */
export function readersOf({ nodes }: Outline, value: number): number[] {
  const found = new Set<number>();
  for (const { start, values } of [nodes.inputs, nodes.captured])
    for (let at = values.indexOf(value); at >= 0; at = values.indexOf(value, at + 1)) found.add(rowAt(start, at));
  return [...found].sort((one, other) => one - other);
}

/** The row that contains entry `at`: the last one that starts at or before it. */
function rowAt(start: Int32Array, at: number): number {
  let [low, high] = [0, start.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((start[middle] as number) <= at) low = middle;
    else high = middle;
  }
  return low;
}
