import { recurrent, recurrentParameters } from '../../../primitives/recurrent.js';
import { inferRecurrent, recurrentAttributes } from '../../../primitives/recurrent-shapes.js';
import { by, defineOp } from '../../../schema/definition.js';
import { FLOATS } from '../../../schema/element-sets.js';

/** https://onnx.ai/onnx/operators/onnx__RNN.html */
export const rnn = defineOp({
  name: 'RNN',
  signature: 'X: T, W: T, R: T, B?: T, sequence_lens?: int32, initial_h?: T -> Y?: T, Y_h?: T',
  types: { T: FLOATS },
  attributes: recurrentAttributes,
  guarded: true,
  infer: (c) => inferRecurrent(c).slice(0, 2),
  computes: by(recurrent, recurrentParameters('RNN')),
});
