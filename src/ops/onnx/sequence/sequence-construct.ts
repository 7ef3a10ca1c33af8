import { tensorType, type ValueType } from '../../../graph/types.js';
import { int } from '../../../schema/attributes.js';
import { defineOp } from '../../../schema/definition.js';
import { ANY } from '../../../schema/element-sets.js';
import { elementTypeOf } from '../../../tensor/element-types.js';
import { common, sequenceOf } from './elements.js';

/** https://onnx.ai/onnx/operators/onnx__SequenceConstruct.html */
export const sequenceConstruct = defineOp({
  name: 'SequenceConstruct',
  since: 11,
  signature: 'inputs...: T -> output_sequence: seq(T)',
  types: { T: ANY },
  infer(c) {
    const types = Array.from({ length: c.inputCount }, (_, i): ValueType => tensorType(c.element(i), c.dims(i)));
    const [first = c.fail('INVALID_GRAPH', 'needs at least one input')] = types;
    return [sequenceOf(types.reduce((a, b) => common(c, a, b), first))];
  },
  evaluate: (c) => [Array.from({ length: c.inputCount }, (_, i) => c.tensor(i))],
});

/** https://onnx.ai/onnx/operators/onnx__SequenceEmpty.html */
export const sequenceEmpty = defineOp({
  name: 'SequenceEmpty',
  since: 11,
  signature: '-> output: seq(T)',
  types: { T: ANY },
  attributes: { dtype: int(1) },
  infer(c) {
    const { dtype } = c.attributes;
    const element = elementTypeOf(dtype) ?? c.fail('INVALID_ATTRIBUTE', `dtype=${dtype} is not an element type`);
    return [sequenceOf(tensorType(element))];
  },
  evaluate: () => [[]],
});
