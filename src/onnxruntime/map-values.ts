type Entries<T> = Readonly<Record<string, T>>;

export const mapValues = <T, R>(values: Entries<T>, change: (value: T, name: string) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]));
