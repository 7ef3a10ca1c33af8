import { tensorType } from '../../../graph/types.js';
import { defineOp } from '../../../schema/definition.js';
import { ANY, INDICES } from '../../../schema/element-sets.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import { elements, elementType, positionOf } from './elements.js';

/** https://onnx.ai/onnx/operators/onnx__SequenceAt.html */
export const sequenceAt = defineOp({
  name: 'SequenceAt',
  since: 11,
  signature: 'input_sequence: seq(T), position: I -> tensor: T',
  types: { T: ANY, I: INDICES },
  infer: (c) => [elementType(c, 0)],
  evaluate(c) {
    const all = elements(c, 0);
    return [all[positionOf(c, 1, all.length)] as TensorValue];
  },
});

/** https://onnx.ai/onnx/operators/onnx__SequenceLength.html */
export const sequenceLength = defineOp({
  name: 'SequenceLength',
  since: 11,
  signature: 'input_sequence: seq(T) -> length: int64',
  types: { T: ANY },
  infer: () => [tensorType('int64', [])],
  evaluate: (c) => [{ type: 'int64', dims: [], data: BigInt64Array.of(BigInt(elements(c, 0).length)) }],
});
