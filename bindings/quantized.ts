import { kernels } from '../build/quantized-kernels.js';
import type { KernelSet } from './kernel-set.js';

/** Kernels that most models do not need: narrow types, rarer layers of language models, sampling and regions of images. */
export const quantized: KernelSet = {
  name: 'quantized',
  kernels,
  files: {
    'quantized.simd.wasm': () => new URL('../build/quantized.simd.wasm', import.meta.url),
    'quantized.relaxed.wasm': () => new URL('../build/quantized.relaxed.wasm', import.meta.url),
  },
};
