import { type Cell, recurOnHost } from '../../../primitives/recur-on-host.js';
import { inferRecurrent, recurrentAttributes } from '../../../primitives/recurrent-shapes.js';
import { int } from '../../../schema/attributes.js';
import { defineOp } from '../../../schema/definition.js';
import { FLOATS } from '../../../schema/element-sets.js';
import { throughFloat32 } from '../../through-float32.js';

/** Gates z, r, h. */
function cell(linearBeforeReset: boolean): Cell {
  return (s) => {
    const gate = (i: number) =>
      Float64Array.from(s.h, (_, u) => s.activate(0, s.input(i, u) + s.recurrent(i, u, s.h) + s.bias(i, u)));
    const [z, r] = [gate(0), gate(1)];
    const reset = r.map((value, u) => value * (s.h[u] as number));
    return z.map((kept, u) => {
      const recurrent = linearBeforeReset
        ? (r[u] as number) * (s.recurrent(2, u, s.h) + s.bias(2, u))
        : s.recurrent(2, u, reset) + s.bias(2, u);
      return (1 - kept) * s.activate(1, s.input(2, u) + recurrent) + kept * (s.h[u] as number);
    });
  };
}

/** https://onnx.ai/onnx/operators/onnx__GRU.html */
export const gru = defineOp({
  name: 'GRU',
  signature: 'X: T, W: T, R: T, B?: T, sequence_lens?: int32, initial_h?: T -> Y?: T, Y_h?: T',
  types: { T: FLOATS },
  attributes: { ...recurrentAttributes, linear_before_reset: int(0) },
  infer: (c) => inferRecurrent(c).slice(0, 2),
  decompose: (c) => throughFloat32(c, [c.element(0), c.element(0)]),
  evaluate: (c) => recurOnHost(c, 3, ['Sigmoid', 'Tanh'], cell(c.attributes.linear_before_reset !== 0)).slice(0, 2),
});
