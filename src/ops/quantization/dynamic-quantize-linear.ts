import type { Value } from '../../graph/graph.js';
import { tensorType } from '../../graph/types.js';
import { ELEMENTS } from '../../tensor/element-types.js';
import { float32Scalar, intAttribute } from '../constants.js';
import { defineOp } from '../definition.js';

/** Scale and zero point from the range of x, 0 included: https://onnx.ai/onnx/operators/onnx__DynamicQuantizeLinear.html */
export const dynamicQuantizeLinear = defineOp({
  name: 'DynamicQuantizeLinear',
  since: 11,
  signature: 'x: float32 -> y: uint8, y_scale: float32, y_zero_point: uint8',
  infer: (c) => [tensorType('uint8', c.dims(0)), tensorType('float32', []), tensorType('uint8', [])],
  decompose(c) {
    const emit = (operator: string, ...inputs: Value[]) => c.emit(operator, inputs)[0] as Value;
    const number = (value: number) => c.constant(float32Scalar(value));
    const extreme = (operator: string) => c.emit(operator, [c.input(0)], { keepdims: intAttribute(0) })[0] as Value;
    const zero = number(0);
    const low = emit('Min', extreme('ReduceMin'), zero);
    const high = emit('Max', extreme('ReduceMax'), zero);
    const range = emit('Div', emit('Sub', high, low), number(255));
    const scale = emit('Where', emit('Equal', range, zero), number(1), range);
    const middle = emit('Sub', zero, emit('Div', low, scale));
    const rounded = emit('Round', emit('Clip', middle, zero, number(255)));
    const [zeroPoint] = c.emit('Cast', [rounded], { to: intAttribute(ELEMENTS.uint8.onnx) }) as [Value];
    const y = emit('QuantizeLinear', c.input(0), scale, zeroPoint);
    return [y, scale, zeroPoint];
  },
});
