/** The element of a column at a place that is known to be one. */
export const at = (column: ArrayLike<number>, i: number): number => column[i] as number;

/** Lists of numbers by key, laid one after the other: those of key i are values[start[i]] up to values[start[i + 1]]. */
export interface Lists {
  readonly start: Int32Array;
  readonly values: Int32Array;
}

/** Lists of `values`, in their order, by `keys`; negative keys are left out. */
export function listsBy(count: number, keys: ArrayLike<number>, values: ArrayLike<number> | undefined): Lists {
  const start = new Int32Array(count + 1);
  for (let i = 0; i < keys.length; i++) if (at(keys, i) >= 0) start[at(keys, i) + 1]!++;
  for (let i = 0; i < count; i++) start[i + 1]! += at(start, i);
  const next = start.slice(0, count);
  const listed = new Int32Array(at(start, count));
  for (let i = 0; i < keys.length; i++) {
    const key = at(keys, i);
    if (key >= 0) listed[next[key]!++] = values ? at(values, i) : i;
  }
  return { start, values: listed };
}
