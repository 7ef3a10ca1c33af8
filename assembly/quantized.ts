// Kernels of narrow numbers, a binary of their own: it is loaded for models that have them, and works on the same memory.
export { nBitProduct } from './quantization/n-bit-product';
export { packBlockCodes, packBlockFloats, packNBitCodes } from './quantization/pack-n-bit';
export { quantizeBlocks } from './quantization/quantize-blocks';
export { setScratch } from './program';
