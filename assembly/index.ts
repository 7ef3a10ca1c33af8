export { depthwiseConvolution, packDepthwise } from './depthwise';
export { fill } from './fill';
export { averagePool, globalPool, lpPool, maxPool } from './pooling';
export { resize } from './resize';
export { runProgram, setScratch } from './program';
