import { tensorType } from '../../../graph/types.js';
import { dynamicQuantization } from '../../../primitives/dynamic-quantization.js';
import { by, defineOp } from '../../../schema/definition.js';

/** https://onnx.ai/onnx/operators/onnx__DynamicQuantizeLinear.html; a tensor of zeros has scale 1. */
export const dynamicQuantizeLinear = defineOp({
  name: 'DynamicQuantizeLinear',
  since: 11,
  signature: 'x: T1 -> y: T2, y_scale: T1, y_zero_point: T2',
  types: { T1: ['float32'], T2: ['uint8'] },
  guarded: true,
  infer: (c) => [tensorType('uint8', c.dims(0)), tensorType('float32', []), tensorType('uint8', [])],
  computes: by(dynamicQuantization, () => ({})),
});
