import { account } from '../account.js';
import type { Evaluation } from '../schema/definition.js';
import { numbersOf, tensorOf } from '../tensor/numbers.js';
import type { HostValue } from '../tensor/tensor-value.js';
import { FORMULAS } from './formulas.js';
import { activationsOf, type GateActivation } from './recurrent-activations.js';
import { Input, type RecurrentAttributes, recurrenceOf } from './recurrent-shapes.js';

type Numbers = ArrayLike<number>;

function activate({ name, alpha, beta }: GateActivation, x: number): number {
  if (name === 'Affine') return alpha * x + beta;
  if (name === 'ScaledTanh') return alpha * Math.tanh(beta * x);
  return name === 'Relu' ? Math.max(x, 0) : FORMULAS[name](x, 0, 0, alpha, beta);
}

/** What a cell sees of one step: every number is that of one unit of one gate. */
export interface CellStep {
  readonly hidden: number;
  readonly direction: number;
  readonly h: Numbers;
  /** W·x + Wb */
  input(gate: number, unit: number): number;
  /** R·v */
  recurrent(gate: number, unit: number, v: Numbers): number;
  /** Rb */
  bias(gate: number, unit: number): number;
  /** Activation `i` of the direction, after the clip if that is asked for. */
  activate(i: number, x: number, clipped?: boolean): number;
}

/** The next h, and a second state that the step keeps in `c` where the cell has one. */
export type Cell = (step: CellStep, c: Float64Array) => Float64Array;

/** Y, the last h and the last c of a recurrent node in double precision. */
export function recurOnHost(
  c: Evaluation<RecurrentAttributes>,
  gates: number,
  defaults: Parameters<typeof activationsOf>[2],
  cell: Cell,
  initialC?: number,
): HostValue[] {
  const { steps, batch, hidden, directions, input } = recurrenceOf(c, gates);
  const read = (i: number) => (c.given(i) ? numbersOf(c.tensor(i)) : undefined);
  const [x, w, r] = [Input.X, Input.W, Input.R].map(read) as [Numbers, Numbers, Numbers];
  const [b, lengths, h0] = [Input.B, Input.lengths, Input.initialH].map(read);
  const c0 = initialC === undefined ? undefined : read(initialC);
  const activations = activationsOf(c, directions, defaults);
  const { layout, clip, direction } = c.attributes;
  const limit = clip && clip > 0 ? clip : Number.POSITIVE_INFINITY;
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
    const isReversed = direction === 'reverse' || d === 1;
    const own = activations[d] as GateActivation[];
    const biasOf = (row: number) => (b ? (b[d * 2 * rows + row] as number) : 0);
    for (let n = 0; n < batch; n++) {
      const stateAt = (layout ? n * directions + d : d * batch + n) * hidden;
      const initial = (from: Numbers | undefined) =>
        Float64Array.from({ length: hidden }, (_, unit) => from?.[stateAt + unit] ?? 0);
      let h: Float64Array = initial(h0);
      const second = initial(c0);
      const length = lengths?.[n] ?? steps;
      if (length < 0 || length > steps)
        c.fail('INVALID_VALUE', `sequence length ${length} is not one of 0 to ${steps}`);
      for (let s = 0; s < length; s++) {
        const t = isReversed ? length - 1 - s : s;
        const from = (layout ? n * steps + t : t * batch + n) * input;
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
              activate(own[i] as GateActivation, clipped ? Math.min(Math.max(value, -limit), limit) : value),
          },
          second,
        );
        y.set(h, (layout ? (n * steps + t) * directions + d : (t * directions + d) * batch + n) * hidden);
      }
      lastH.set(h, stateAt);
      lastC.set(second, stateAt);
    }
  }
  const element = c.element(Input.X);
  const yDims = layout ? [batch, steps, directions, hidden] : [steps, directions, batch, hidden];
  const stateDims = layout ? [batch, directions, hidden] : [directions, batch, hidden];
  return [tensorOf(element, yDims, y), tensorOf(element, stateDims, lastH), tensorOf(element, stateDims, lastC)];
}
