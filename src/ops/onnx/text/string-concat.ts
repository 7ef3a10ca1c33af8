import { defineElementwise } from '../../../primitives/define-elementwise.js';

/** https://onnx.ai/onnx/operators/onnx__StringConcat.html */
export const stringConcat = defineElementwise({
  name: 'StringConcat',
  since: 20,
  signature: 'X: T, Y: T -> Z: T',
  types: { T: ['string'] },
  expression: () => undefined,
  formula: (a: string, b: string) => a + b,
});
