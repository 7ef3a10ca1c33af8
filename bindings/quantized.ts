import { kernels } from '../build/quantized-kernels.js';
import type { KernelSet } from './kernel-set.js';

/** The kernels of narrow numbers, and of language models' rarer layers. */
export const quantized: KernelSet = {
  name: 'quantized',
  kernels,
  files: {
    'quantized.simd.wasm': () => new URL('../build/quantized.simd.wasm', import.meta.url),
    'quantized.relaxed.wasm': () => new URL('../build/quantized.relaxed.wasm', import.meta.url),
  },
};
