import { defineElementwise, registerFor } from '../../../primitives/define-elementwise.js';
import { operation } from '../../../primitives/expression.js';
import { int } from '../../../schema/attributes.js';
import { BOOL, FLOAT8, FLOATS } from '../../../schema/element-sets.js';

/** https://onnx.ai/onnx/operators/onnx__IsNaN.html */
export const isNan = defineElementwise({
  name: 'IsNaN',
  since: 9,
  signature: 'X: T1 -> Y: T2',
  types: { T1: [...FLOATS, ...FLOAT8], T2: BOOL },
  halves: 'as they are',
  element: () => 'bool',
  expression(c) {
    const register = registerFor(c) ?? 'F32';
    return operation(register, 'IsNaN', 1);
  },
});

/** https://onnx.ai/onnx/operators/onnx__IsInf.html */
export const isInf = defineElementwise({
  name: 'IsInf',
  since: 10,
  signature: 'X: T1 -> Y: T2',
  types: { T1: [...FLOATS, ...FLOAT8], T2: BOOL },
  halves: 'as they are',
  attributes: { detect_positive: int(1), detect_negative: int(1) },
  element: () => 'bool',
  expression(c) {
    const register = registerFor(c) ?? 'F32';
    const { detect_positive, detect_negative } = c.attributes;
    return operation(register, 'IsInf', 1, { alpha: detect_positive, beta: detect_negative });
  },
});
