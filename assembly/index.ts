export { fill } from './fill';
export { matmul } from './matmul/matmul';
export { packMatMulB } from './matmul/pack';
export { runProgram, setScratch } from './program';
export { multiplyWide } from './matmul/microkernel';
export { convolution } from './convolution/convolution';
export { packConvolution } from './convolution/pack';
export { winograd, winogradInput, winogradOutput } from './convolution/winograd';
export { winogradWeights } from './convolution/winogradWeights';
