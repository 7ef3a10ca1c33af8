import { defineOp } from '../../../schema/definition.js';
import { ANY, INDICES } from '../../../schema/element-sets.js';
import { common, elements, elementType, positionOf, sequenceOf } from './elements.js';

/** https://onnx.ai/onnx/operators/onnx__SequenceInsert.html */
export const sequenceInsert = defineOp({
  name: 'SequenceInsert',
  since: 11,
  signature: 'input_sequence: seq(T), tensor: T, position?: I -> output_sequence: seq(T)',
  types: { T: ANY, I: INDICES },
  infer: (c) => [sequenceOf(common(c, elementType(c, 0), c.type(1)))],
  evaluate(c) {
    const all = elements(c, 0);
    const at = c.given(2) ? positionOf(c, 2, all.length, all.length) : all.length;
    return [all.toSpliced(at, 0, c.tensor(1))];
  },
});

/** https://onnx.ai/onnx/operators/onnx__SequenceErase.html */
export const sequenceErase = defineOp({
  name: 'SequenceErase',
  since: 11,
  signature: 'input_sequence: seq(T), position?: I -> output_sequence: seq(T)',
  types: { T: ANY, I: INDICES },
  infer: (c) => [c.type(0)],
  evaluate(c) {
    const all = elements(c, 0);
    if (all.length === 0) c.fail('INVALID_VALUE', 'cannot erase from an empty sequence');
    return [all.toSpliced(c.given(1) ? positionOf(c, 1, all.length) : all.length - 1, 1)];
  },
});
