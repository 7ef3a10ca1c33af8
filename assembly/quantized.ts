// Kernels of narrow numbers, a binary of their own: it is loaded for models that have them, and works on the same memory.
export { quantizeBlocks } from './quantization/quantize-blocks';
export { setScratch } from './program';
