import { tensorType } from '../../graph/types.js';
import { productDims } from '../../primitives/product-dims.js';
import { defineOp, type Inference } from '../../schema/definition.js';
import type { ElementType } from '../../tensor/element-types.js';
import { castTo } from '../emit.js';

const WORDS: readonly ElementType[] = ['int16', 'uint16'];

const resultOf = (c: Inference<unknown>): ElementType =>
  c.element(0) === 'uint16' && c.element(1) === 'uint16' ? 'uint32' : 'int32';

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.MatMulInteger16: sums modulo 2³². */
export const matMulInteger16 = defineOp({
  domain: 'com.microsoft',
  name: 'MatMulInteger16',
  signature: 'A: T1, B: T2 -> Y: T3',
  types: { T1: WORDS, T2: WORDS, T3: ['int32', 'uint32'] },
  infer: (c) => [tensorType(resultOf(c), productDims(c, c.dims(0), c.dims(1)))],
  decompose: (c) =>
    c.emit(
      'MatMul',
      [0, 1].map((i) => castTo(c, c.input(i), resultOf(c))),
    ),
});
