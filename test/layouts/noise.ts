import type { TensorValue } from '../../src/tensor/tensor-value.js';

/** Values within `center` ± `scale`, of which each seed has its own (mulberry32). They are made whenever `data` is read, and not kept. */
export const noise = (seed: number, dims: readonly number[], scale: number, center = 0): TensorValue<'float32'> => ({
  type: 'float32',
  dims,
  get data() {
    const data = new Float32Array(dims.reduce((a, b) => a * b, 1));
    for (let i = 0, state = seed; i < data.length; i++) {
      state = (state + 0x6d2b79f5) | 0;
      let t = Math.imul(state ^ (state >>> 15), 1 | state);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      data[i] = center + scale * (((t ^ (t >>> 14)) >>> 0) / 2 ** 31 - 1);
    }
    return data;
  },
});
