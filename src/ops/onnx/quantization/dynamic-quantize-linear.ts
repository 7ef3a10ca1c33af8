import { intAttribute } from '../../../graph/attributes.js';
import type { Value } from '../../../graph/graph.js';
import { tensorType } from '../../../graph/types.js';
import { defineOp } from '../../../schema/definition.js';
import { arithmeticOn, castTo, emitOne } from '../../emit.js';
import { quantized } from './quantized.js';

const LARGEST = 255;

/** https://onnx.ai/onnx/operators/onnx__DynamicQuantizeLinear.html; a tensor of zeros has scale 1. */
export const dynamicQuantizeLinear = defineOp({
  name: 'DynamicQuantizeLinear',
  since: 11,
  signature: 'x: T1 -> y: T2, y_scale: T1, y_zero_point: T2',
  types: { T1: ['float32'], T2: ['uint8'] },
  infer: (c) => [tensorType('uint8', c.dims(0)), tensorType('float32', []), tensorType('uint8', [])],
  decompose(c) {
    const x = c.input(0);
    const f = arithmeticOn(c, 'float32');
    const extreme = (op: string): Value => emitOne(c, op, [x], { keepdims: intAttribute(0) });
    const low = f('Min', extreme('ReduceMin'), 0);
    const range = f('Sub', f('Max', extreme('ReduceMax'), 0), low);
    const scale = f('Where', f('Equal', range, 0), 1, f('Div', range, LARGEST));
    const zeroPoint = f('Round', f('Clip', f('Neg', f('Div', low, scale)), 0, LARGEST));
    return [quantized(c, f('Div', x, scale), zeroPoint, 'uint8'), scale, castTo(c, zeroPoint, 'uint8')];
  },
});
