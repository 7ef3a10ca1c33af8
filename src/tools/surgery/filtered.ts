/** Like `filter`, but returns the same list if all entries stay. */
export function filtered<T>(list: T[], stays: (entry: T) => boolean): T[] {
  const entries = list.filter(stays);
  return entries.length === list.length ? list : entries;
}
