export { elementwiseF32, elementwiseF64, elementwiseI32, elementwiseI64 } from './elementwise/interpreter';
export { fill } from './fill';
export { stridedCopy, transpose } from './strided-copy';
export { runProgram, setScratch } from './program';
