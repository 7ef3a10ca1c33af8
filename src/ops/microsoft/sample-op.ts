import { defineOp } from '../../schema/definition.js';
import { NUMBERS } from '../../schema/element-sets.js';
import { sameAsInput } from '../../schema/shapes.js';
import { asOnnx } from './as-onnx.js';

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.SampleOp: returns its input. */
export const sampleOp = defineOp({
  domain: 'com.microsoft',
  name: 'SampleOp',
  signature: 'X: T -> Y: T',
  types: { T: NUMBERS },
  infer: sameAsInput,
  decompose: asOnnx('Identity'),
});
