const MODULUS = 2147483647;
const MULTIPLIER = 16807;

/**
 * Uniform doubles in 0 … 1 as libstdc++ draws them with std::default_random_engine, the Park–Miller generator
 * (https://en.cppreference.com/w/cpp/numeric/random/linear_congruential_engine); each takes two of its numbers.
 */
export function minimalStandard(seed: number): () => number {
  let state = seed % MODULUS || 1;
  const next = () => {
    state = (state * MULTIPLIER) % MODULUS;
    return state - 1;
  };
  const range = MODULUS - 1;
  return () => {
    const low = next();
    const uniform = (low + next() * range) / (range * range);
    return uniform < 1 ? uniform : 1 - 2 ** -53;
  };
}
