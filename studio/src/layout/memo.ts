/** Memoizes a function by a key of its input. */
export function memo<T, K, R>(keyOf: (input: T) => K, make: (input: T) => R): (input: T) => R {
  const made = new Map<K, R>();
  return (input) => {
    const key = keyOf(input);
    const known = made.get(key) ?? make(input);
    made.set(key, known);
    return known;
  };
}
