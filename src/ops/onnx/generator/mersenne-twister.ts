const N = 624;
const M = 397;

/**
 * Uniform doubles in [0, 1) like numpy's `RandomState(seed).uniform`: MT19937, 53 bits from two draws each.
 * http://www.math.sci.hiroshima-u.ac.jp/m-mat/MT/ARTICLES/mt.pdf
 */
export function uniformDoubles(seed: number): () => number {
  const state = new Uint32Array(N);
  state[0] = seed;
  for (let i = 1; i < N; i++) {
    const before = state[i - 1] as number;
    state[i] = Math.imul(1812433253, before ^ (before >>> 30)) + i;
  }
  let at = N;
  const draw = (): number => {
    if (at === N) {
      twist(state);
      at = 0;
    }
    let y = state[at++] as number;
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  };
  return () => {
    const [high, low] = [draw() >>> 5, draw() >>> 6];
    return (high * 2 ** 26 + low) / 2 ** 53;
  };
}

function twist(state: Uint32Array): void {
  for (let i = 0; i < N; i++) {
    const y = ((state[i] as number) & 0x80000000) | ((state[(i + 1) % N] as number) & 0x7fffffff);
    state[i] = (state[(i + M) % N] as number) ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
  }
}
