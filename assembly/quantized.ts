// Kernels of narrow numbers and of language models' rarer layers, a binary of their own: it is loaded for models that have them, and
// works on the same memory.
export { cachedAttention } from './attention/cached/attention';
export { CachedAttentionTile, CacheStorage } from './attention/cached/params';
export { narrowRows } from './attention/cached/narrow-rows';
export { causalConvolution } from './causal-convolution';
export { packHalves } from './halves/pack';
export { addSmallRow, FewRows } from './halves/few-rows';
export { halfProduct, WideningRoom } from './halves/product';
export { WideningTile, widenHalves } from './halves/widen';
export { linearAttention } from './linear-attention';
export { ByteArithmetic, byteArithmetic, ByteOperation } from './quantization/byte-arithmetic';
export { byteMaxPool } from './quantization/byte-pool';
export { ByteTable, byteTable } from './quantization/byte-table';
export { byteRange, dynamicBytes, DynamicQuantization } from './quantization/dynamic-quantization';
export { nBitGather } from './quantization/n-bit-gather';
export { nBitProduct } from './quantization/n-bit-product';
export { packBlockCodes, packBlockFloats, packNBitCodes } from './quantization/pack-n-bit';
export { IntegerTile } from './quantization/integer-block';
export { integerConvolution } from './quantization/integer-convolution';
export { IntegerDepthwise, integerDepthwise } from './quantization/integer-depthwise';
export { IntegerResult } from './quantization/integer-epilogue';
export { integerMatMul } from './quantization/integer-matmul';
export { IntegerDots } from './quantization/integer-microkernel';
export { packIntegers } from './quantization/integer-pack';
export { quantizeBlocks } from './quantization/quantize-blocks';
export { rotary } from './rotary';
export { setScratch } from './program';
export { writeRows } from './write-rows';
