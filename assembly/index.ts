export { depthwiseConvolution, packDepthwise } from './depthwise';
export { fill } from './fill';
export { averagePool, globalPool, lpPool, maxPool } from './pooling';
export { resize } from './resize';
export { matmul } from './matmul/matmul';
export { packMatMulB } from './matmul/pack';
export { packTransposedConvolution, transposedConvolution } from './transposed-convolution';
export { runProgram, setScratch } from './program';
export { multiplyWide } from './matmul/microkernel';
