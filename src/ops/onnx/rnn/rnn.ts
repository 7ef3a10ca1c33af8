import { type Cell, recurOnHost } from '../../../primitives/recur-on-host.js';
import { inferRecurrent, recurrentAttributes } from '../../../primitives/recurrent-shapes.js';
import { defineOp } from '../../../schema/definition.js';
import { FLOATS } from '../../../schema/element-sets.js';
import { throughFloat32 } from '../../through-float32.js';

/** h = f(W·x + Wb + R·h + Rb) */
const cell: Cell = (s) =>
  Float64Array.from(s.h, (_, u) => s.activate(0, s.input(0, u) + s.recurrent(0, u, s.h) + s.bias(0, u)));

/** https://onnx.ai/onnx/operators/onnx__RNN.html */
export const rnn = defineOp({
  name: 'RNN',
  signature: 'X: T, W: T, R: T, B?: T, sequence_lens?: int32, initial_h?: T -> Y?: T, Y_h?: T',
  types: { T: FLOATS },
  attributes: recurrentAttributes,
  infer: (c) => inferRecurrent(c).slice(0, 2),
  decompose: (c) => throughFloat32(c, [c.element(0), c.element(0)]),
  evaluate: (c) => recurOnHost(c, 1, ['Tanh'], cell).slice(0, 2),
});
