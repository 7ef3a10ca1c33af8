import { type Cell, recurOnHost } from '../../../primitives/recur-on-host.js';
import { inferRecurrent, recurrentAttributes } from '../../../primitives/recurrent-shapes.js';
import { int } from '../../../schema/attributes.js';
import { defineOp } from '../../../schema/definition.js';
import { FLOATS } from '../../../schema/element-sets.js';
import { numbersOf } from '../../../tensor/numbers.js';
import { throughFloat32 } from '../../through-float32.js';

const INITIAL_C = 6;
const PEEPHOLES = 7;

/** Gates i, o, f, c; `p` holds the peepholes of i, o and f. */
function cell(p: ArrayLike<number> | undefined, inputForget: boolean): Cell {
  return (s, c) => {
    const peep = (i: number, u: number) =>
      p ? (p[(3 * s.direction + i) * s.hidden + u] as number) * (c[u] as number) : 0;
    const sum = (i: number, u: number) => s.input(i, u) + s.recurrent(i, u, s.h) + s.bias(i, u);
    return Float64Array.from(s.h, (_, u) => {
      const taken = s.activate(0, sum(0, u) + peep(0, u));
      const kept = inputForget ? 1 - taken : s.activate(0, sum(2, u) + peep(2, u));
      c[u] = kept * (c[u] as number) + taken * s.activate(1, sum(3, u));
      return s.activate(0, sum(1, u) + peep(1, u)) * s.activate(2, c[u] as number, false);
    });
  };
}

/** https://onnx.ai/onnx/operators/onnx__LSTM.html */
export const lstm = defineOp({
  name: 'LSTM',
  signature:
    'X: T, W: T, R: T, B?: T, sequence_lens?: int32, initial_h?: T, initial_c?: T, P?: T -> Y?: T, Y_h?: T, Y_c?: T',
  types: { T: FLOATS },
  attributes: { ...recurrentAttributes, input_forget: int(0) },
  infer: inferRecurrent,
  decompose: (c) => throughFloat32(c, [c.element(0), c.element(0), c.element(0)]),
  evaluate(c) {
    const peepholes = c.given(PEEPHOLES) ? numbersOf(c.tensor(PEEPHOLES)) : undefined;
    const own = cell(peepholes, c.attributes.input_forget !== 0);
    return recurOnHost(c, 4, ['Sigmoid', 'Tanh', 'Tanh'], own, INITIAL_C);
  },
});
