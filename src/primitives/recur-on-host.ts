import { account } from '../account.js';
import type { Evaluation } from '../schema/definition.js';
import { numbersOf, tensorOf } from '../tensor/numbers.js';
import type { HostValue } from '../tensor/tensor-value.js';
import { FORMULAS } from './formulas.js';
import type { GateActivation } from './recurrent-activations.js';
import { CELLS } from './recurrent-cells.js';
import { Input, type RecurrentParameters } from './recurrent-shapes.js';

type Numbers = ArrayLike<number>;

function activate({ name, alpha, beta }: GateActivation, x: number): number {
  if (name === 'Affine') return alpha * x + beta;
  if (name === 'ScaledTanh') return alpha * Math.tanh(beta * x);
  return name === 'Relu' ? Math.max(x, 0) : FORMULAS[name](x, 0, 0, alpha, beta);
}

/** Y, the last h and the last c of a recurrent node in double precision. */
export function recurOnHost(c: Evaluation<unknown>, parameters: RecurrentParameters): HostValue[] {
  const { steps, batch, hidden, directions, input, gates, activations, batchFirst, clip, reversed } = parameters;
  const read = (i: number) => (c.given(i) ? numbersOf(c.tensor(i)) : undefined);
  const [x, w, r] = [Input.X, Input.W, Input.R].map(read) as [Numbers, Numbers, Numbers];
  const isLstm = parameters.cell === 'LSTM';
  const [b, lengths, h0] = [Input.B, Input.lengths, Input.initialH].map(read);
  const [c0, peepholes] = [Input.initialC, Input.peepholes].map((i) => (isLstm ? read(i) : undefined));
  const cell = CELLS[parameters.cell](parameters, peepholes);
  const rows = gates * hidden;
  const y = new Float64Array(steps * directions * batch * hidden);
  const [lastH, lastC] = [0, 1].map(() => new Float64Array(directions * batch * hidden)) as [
    Float64Array,
    Float64Array,
  ];
  const dot = (weights: Numbers, from: number, v: Numbers, at: number, count: number) => {
    account()?.spend(count);
    let sum = 0;
    for (let i = 0; i < count; i++) sum += (weights[from + i] as number) * (v[at + i] as number);
    return sum;
  };
  for (let d = 0; d < directions; d++) {
    const isReversed = ((reversed >> d) & 1) === 1;
    const own = activations[d] as GateActivation[];
    const biasOf = (row: number) => (b ? (b[d * 2 * rows + row] as number) : 0);
    for (let n = 0; n < batch; n++) {
      const stateAt = (batchFirst ? n * directions + d : d * batch + n) * hidden;
      const initial = (from: Numbers | undefined) =>
        Float64Array.from({ length: hidden }, (_, unit) => from?.[stateAt + unit] ?? 0);
      let h: Float64Array = initial(h0);
      const second = initial(c0);
      const length = lengths?.[n] ?? steps;
      if (length < 0 || length > steps)
        c.fail('INVALID_VALUE', `sequence length ${length} is not one of 0 to ${steps}`);
      for (let s = 0; s < length; s++) {
        const t = isReversed ? length - 1 - s : s;
        const from = (batchFirst ? n * steps + t : t * batch + n) * input;
        h = cell(
          {
            hidden,
            direction: d,
            h,
            input: (gate, unit) =>
              dot(w, (d * rows + gate * hidden + unit) * input, x, from, input) + biasOf(gate * hidden + unit),
            recurrent: (gate, unit, v) => dot(r, (d * rows + gate * hidden + unit) * hidden, v, 0, hidden),
            bias: (gate, unit) => biasOf(rows + gate * hidden + unit),
            activate: (i, value, clipped = true) =>
              activate(own[i] as GateActivation, clipped ? Math.min(Math.max(value, -clip), clip) : value),
          },
          second,
        );
        y.set(h, (batchFirst ? (n * steps + t) * directions + d : (t * directions + d) * batch + n) * hidden);
      }
      lastH.set(h, stateAt);
      lastC.set(second, stateAt);
    }
  }
  const element = c.element(Input.X);
  const yDims = batchFirst ? [batch, steps, directions, hidden] : [steps, directions, batch, hidden];
  const stateDims = batchFirst ? [batch, directions, hidden] : [directions, batch, hidden];
  const states = isLstm ? [lastH, lastC] : [lastH];
  return [tensorOf(element, yDims, y), ...states.map((state) => tensorOf(element, stateDims, state))];
}
