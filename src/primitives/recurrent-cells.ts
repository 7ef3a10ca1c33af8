import type { CellName, RecurrentParameters } from './recurrent-shapes.js';

type Numbers = ArrayLike<number>;

/** A step as a cell sees it; each number belongs to one unit of one gate. */
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
  /** Activation `i` of the direction, after clipping unless `clipped` is false. */
  activate(i: number, x: number, clipped?: boolean): number;
}

/** Computes the next h, and updates the second state `c` if the cell has one. */
export type Cell = (step: CellStep, c: Float64Array) => Float64Array;

/** h = f(W·x + Wb + R·h + Rb) */
const rnn: Cell = (s) =>
  Float64Array.from(s.h, (_, u) => s.activate(0, s.input(0, u) + s.recurrent(0, u, s.h) + s.bias(0, u)));

/** Gates z, r, h. */
function gru(linearBeforeReset: boolean): Cell {
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

/** Gates i, o, f, c; `p` holds the peepholes of i, o and f. */
function lstm(inputForget: boolean, p: Numbers | undefined): Cell {
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

export const CELLS: Readonly<Record<CellName, (own: RecurrentParameters, peepholes: Numbers | undefined) => Cell>> = {
  RNN: () => rnn,
  GRU: ({ linearBeforeReset }) => gru(linearBeforeReset),
  LSTM: ({ inputForget }, peepholes) => lstm(inputForget, peepholes),
};
