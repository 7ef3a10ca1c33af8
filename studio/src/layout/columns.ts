// One function per kind of column: V8 reads elements fast where it has only seen one kind.

/** The element of a column at an index known to be valid. */
export const at = (column: Int32Array, i: number): number => column[i] as number;
export const real = (column: Float64Array, i: number): number => column[i] as number;
export const bit = (column: Uint8Array, i: number): number => column[i] as number;
export const sign = (column: Int8Array, i: number): number => column[i] as number;
export const nth = (list: readonly number[], i: number): number => list[i] as number;

export function add(column: Int32Array, i: number, by: number): number {
  const sum = at(column, i) + by;
  column[i] = sum;
  return sum;
}

/** Lists of numbers by key, concatenated: those of key i are values[start[i]] up to values[start[i + 1]]. */
export interface Lists {
  readonly start: Int32Array;
  readonly values: Int32Array;
}

/** Groups `values`, or indices, by `keys`, keeping their order; negative keys are left out. */
export function listsBy(count: number, keys: Int32Array, values?: Int32Array): Lists {
  const start = new Int32Array(count + 1);
  for (let i = 0; i < keys.length; i++) if (at(keys, i) >= 0) add(start, at(keys, i) + 1, 1);
  for (let i = 0; i < count; i++) add(start, i + 1, at(start, i));
  const next = start.slice(0, count);
  const listed = new Int32Array(at(start, count));
  for (let i = 0; i < keys.length; i++) {
    const key = at(keys, i);
    if (key >= 0) listed[add(next, key, 1) - 1] = values ? at(values, i) : i;
  }
  return { start, values: listed };
}

export function forEach(lists: Lists, key: number, visit: (value: number) => void): void {
  const end = at(lists.start, key + 1);
  for (let i = at(lists.start, key); i < end; i++) visit(at(lists.values, i));
}

export const lengthOf = ({ start }: Lists, key: number): number => at(start, key + 1) - at(start, key);
