import { account } from '../account.js';
import type { Evaluation } from '../schema/definition.js';
import { numbersOf, tensorOf } from '../tensor/numbers.js';
import type { HostValue } from '../tensor/tensor-value.js';
import { FORMULAS } from './formulas.js';
import type { GateActivation } from './recurrent-activations.js';
import { CELLS, type Cell, type CellStep } from './recurrent-cells.js';
import { Input, type RecurrentParameters } from './recurrent-shapes.js';

type Numbers = ArrayLike<number>;

/** The activation of a gate. */
export function activate({ name, alpha, beta }: GateActivation, x: number): number {
  if (name === 'Affine') return alpha * x + beta;
  if (name === 'ScaledTanh') return alpha * Math.tanh(beta * x);
  return name === 'Relu' ? Math.max(x, 0) : FORMULAS[name](x, 0, 0, alpha, beta);
}

/** Operands and parameters of a recurrent layer. */
interface Operands extends RecurrentParameters {
  readonly x: Numbers;
  readonly w: Numbers;
  readonly r: Numbers;
  readonly b: Numbers | undefined;
  readonly lengths: Numbers | undefined;
  readonly h0: Numbers | undefined;
  readonly c0: Numbers | undefined;
  readonly step: Cell;
}

function operandsOf(c: Evaluation<unknown>, parameters: RecurrentParameters): Operands {
  const read = (i: number) => (c.given(i) ? numbersOf(c.tensor(i)) : undefined);
  const [x, w, r] = [Input.X, Input.W, Input.R].map(read) as [Numbers, Numbers, Numbers];
  const [b, lengths, h0] = [Input.B, Input.lengths, Input.initialH].map(read);
  const isLstm = parameters.cell === 'LSTM';
  const [c0, peepholes] = [Input.initialC, Input.peepholes].map((i) => (isLstm ? read(i) : undefined));
  return { ...parameters, x, w, r, b, lengths, h0, c0, step: CELLS[parameters.cell](parameters, peepholes) };
}

/** Offsets of step `t` of sequence `n` in x and y, and of the sequence's states. */
const placesOf = ({ batchFirst, steps, batch, hidden, directions, input }: Operands) => ({
  x: (t: number, n: number) => (batchFirst ? n * steps + t : t * batch + n) * input,
  y: (t: number, d: number, n: number) =>
    (batchFirst ? (n * steps + t) * directions + d : (t * directions + d) * batch + n) * hidden,
  state: (d: number, n: number) => (batchFirst ? n * directions + d : d * batch + n) * hidden,
});

function dot(weights: Numbers, from: number, v: Numbers, at: number, count: number): number {
  account()?.spend(count);
  let sum = 0;
  for (let i = 0; i < count; i++) sum += (weights[from + i] as number) * (v[at + i] as number);
  return sum;
}

/** A step of direction `d` that reads x from offset `at`. */
function stepOf(
  { x, w, r, b, gates, hidden, input, clip, ...o }: Operands,
  d: number,
  h: Numbers,
  at: number,
): CellStep {
  const rows = gates * hidden;
  const own = o.activations[d] as readonly GateActivation[];
  const biasOf = (row: number) => (b ? (b[d * 2 * rows + row] as number) : 0);
  return {
    hidden,
    direction: d,
    h,
    input: (gate, unit) =>
      dot(w, (d * rows + gate * hidden + unit) * input, x, at, input) + biasOf(gate * hidden + unit),
    recurrent: (gate, unit, v) => dot(r, (d * rows + gate * hidden + unit) * hidden, v, 0, hidden),
    bias: (gate, unit) => biasOf(rows + gate * hidden + unit),
    activate: (i, value, clipped = true) =>
      activate(own[i] as GateActivation, clipped ? Math.min(Math.max(value, -clip), clip) : value),
  };
}

/** The steps of sequence `n` in the order of direction `d`. */
function stepsOf(c: Evaluation<unknown>, { lengths, steps, reversed }: Operands, d: number, n: number): number[] {
  const length = lengths?.[n] ?? steps;
  if (length < 0 || length > steps) c.fail('INVALID_VALUE', `sequence length ${length} is not one of 0 to ${steps}`);
  const isReversed = ((reversed >> d) & 1) === 1;
  return Array.from({ length }, (_, s) => (isReversed ? length - 1 - s : s));
}

/** Y, the last h and, for LSTM, the last c, in double precision. */
export function recurOnHost(c: Evaluation<unknown>, parameters: RecurrentParameters): HostValue[] {
  const operands = operandsOf(c, parameters);
  const { steps, batch, hidden, directions, batchFirst, h0, c0 } = operands;
  const states = () => new Float64Array(directions * batch * hidden);
  const [y, lastH, lastC] = [new Float64Array(steps * directions * batch * hidden), states(), states()];
  const at = placesOf(operands);
  for (let d = 0; d < directions; d++) {
    for (let n = 0; n < batch; n++) {
      const state = at.state(d, n);
      const initial = (from: Numbers | undefined) =>
        Float64Array.from({ length: hidden }, (_, unit) => from?.[state + unit] ?? 0);
      let h: Float64Array = initial(h0);
      const second = initial(c0);
      for (const t of stepsOf(c, operands, d, n)) {
        h = operands.step(stepOf(operands, d, h, at.x(t, n)), second);
        y.set(h, at.y(t, d, n));
      }
      lastH.set(h, state);
      lastC.set(second, state);
    }
  }
  const element = c.element(Input.X);
  const yDims = batchFirst ? [batch, steps, directions, hidden] : [steps, directions, batch, hidden];
  const stateDims = batchFirst ? [batch, directions, hidden] : [directions, batch, hidden];
  const last = parameters.cell === 'LSTM' ? [lastH, lastC] : [lastH];
  return [tensorOf(element, yDims, y), ...last.map((state) => tensorOf(element, stateDims, state))];
}
