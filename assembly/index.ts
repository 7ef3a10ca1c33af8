export { argReduce, argReduceI32, argReduceI64 } from './arg-reduce';
export { attention } from './attention/attention';
export { cumSum, cumSumI32, cumSumI64 } from './cum-sum';
export { fill } from './fill';
export { layerNorm, rmsNorm } from './normalization/layer-norm';
export { runProgram, setScratch } from './program';
export { reduce, reduceI32, reduceI64 } from './reduction';
export { softmax } from './softmax';
export { topK } from './top-k';
