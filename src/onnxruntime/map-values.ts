type Entries<T> = Readonly<Record<string, T>>;

/** Includes inherited properties, because they may be fed. */
export function mapValues<T, R>(values: Entries<T>, change: (value: T, name: string) => R): Record<string, R> {
  const entries: [string, R][] = [];
  for (const name in values) entries.push([name, change(values[name] as T, name)]);
  return Object.fromEntries(entries);
}
