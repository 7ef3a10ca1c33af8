export { depthwiseConvolution, packDepthwise } from './depthwise';
export { fill } from './fill';
export { runProgram, setScratch } from './program';
