/** Numbers that depend on a seed alone. */
export interface Random {
  /** A whole number from 0 to below `n`; 0 where `n` is 0. */
  below(n: number): number;
  pick<T>(list: readonly T[]): T;
  chance(probability: number): boolean;
}

/** A seed made from several numbers: FNV-1a, mixed once more. https://datatracker.ietf.org/doc/html/draft-eastlake-fnv */
export function seedOf(...parts: readonly number[]): number {
  let hash = 0x811c9dc5;
  for (const part of parts) hash = Math.imul(hash ^ part, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** splitmix32: https://dl.acm.org/doi/10.1145/2714064.2660195 */
export function randomOf(seed: number): Random {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x9e3779b9) | 0;
    let z = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return (z ^ (z >>> 15)) >>> 0;
  };
  const below = (n: number) => (n > 0 ? next() % n : 0);
  return {
    below,
    pick: <T>(list: readonly T[]) => list[below(list.length)] as T,
    chance: (probability) => next() < probability * 2 ** 32,
  };
}
