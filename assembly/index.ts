export { elementwiseF32, elementwiseF64, elementwiseI32, elementwiseI64 } from './elementwise/interpreter';
export { fill } from './fill';
export { gather, gatherElements } from './gather';
export { indexedCopy } from './indexed-copy';
export { runProgram, setScratch } from './program';
export { scatter, scatterElements } from './scatter';
export { stridedCopy, transpose } from './strided-copy';
