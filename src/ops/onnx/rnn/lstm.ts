import { recurrent, recurrentParameters } from '../../../primitives/recurrent.js';
import { inferRecurrent, recurrentAttributes } from '../../../primitives/recurrent-shapes.js';
import { int } from '../../../schema/attributes.js';
import { by, defineOp } from '../../../schema/definition.js';
import { FLOATS } from '../../../schema/element-sets.js';

/** https://onnx.ai/onnx/operators/onnx__LSTM.html */
export const lstm = defineOp({
  name: 'LSTM',
  signature:
    'X: T, W: T, R: T, B?: T, sequence_lens?: int32, initial_h?: T, initial_c?: T, P?: T -> Y?: T, Y_h?: T, Y_c?: T',
  types: { T: FLOATS },
  attributes: { ...recurrentAttributes, input_forget: int(0) },
  guarded: true,
  infer: inferRecurrent,
  computes: by(recurrent, recurrentParameters('LSTM')),
});
