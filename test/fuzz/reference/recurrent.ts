import { type PlainArray, plain } from './array.js';
import {
  floats,
  int,
  listed,
  type Reference,
  type ReferenceNode,
  type References,
  strings,
  tensor,
  text,
} from './definition.js';
import { sigmoid, softplus, softsign } from './elementwise-unary.js';
import { transpose } from './movement.js';
import { isFloat } from './number-types.js';

type Activation = (x: number) => number;

interface Parametric {
  /** Alpha and beta where the node gives none; those a function does not use are left out. */
  readonly defaults: readonly number[];
  readonly of: (alpha: number, beta: number) => Activation;
}

const fixed = (f: Activation): Parametric => ({ defaults: [], of: () => f });

const ACTIVATIONS: Readonly<Record<string, Parametric>> = {
  Relu: fixed((x) => Math.max(x, 0)),
  Tanh: fixed(Math.tanh),
  Sigmoid: fixed(sigmoid),
  Softsign: fixed(softsign),
  Softplus: fixed(softplus),
  Affine: { defaults: [1, 0], of: (alpha, beta) => (x) => alpha * x + beta },
  LeakyRelu: { defaults: [0.01], of: (alpha) => (x) => (x >= 0 ? x : alpha * x) },
  ThresholdedRelu: { defaults: [1], of: (alpha) => (x) => (x >= alpha ? x : 0) },
  ScaledTanh: { defaults: [1, 1], of: (alpha, beta) => (x) => alpha * Math.tanh(beta * x) },
  HardSigmoid: { defaults: [0.2, 0.5], of: (alpha, beta) => (x) => Math.min(Math.max(alpha * x + beta, 0), 1) },
  Elu: { defaults: [1], of: (alpha) => (x) => (x >= 0 ? x : alpha * Math.expm1(x)) },
};

/** What the node names, each taking the next of the listed alphas and betas that it uses, behind the clip. */
function activationsOf(node: ReferenceNode, fallback: readonly string[], directions: number): Activation[] | undefined {
  const names = strings(node, 'activations') ?? Array.from({ length: directions }, () => fallback).flat();
  const [alphas, betas] = [floats(node, 'activation_alpha') ?? [], floats(node, 'activation_beta') ?? []].map((list) =>
    list.values(),
  );
  const clip = Number(node.attributes.clip ?? Number.POSITIVE_INFINITY);
  const found = names.map((name) => {
    const activation = ACTIVATIONS[name];
    if (!activation) return undefined;
    const [alpha, beta] = activation.defaults;
    const first = alpha === undefined ? 0 : (alphas?.next().value ?? alpha);
    const second = beta === undefined ? 0 : (betas?.next().value ?? beta);
    const f = activation.of(first, second);
    return (x: number) => f(Math.min(Math.max(x, -clip), clip));
  });
  return found.includes(undefined) ? undefined : (found as Activation[]);
}

/** What a cell sees at one step of one sequence: gates are rows of `hidden` numbers. */
interface Step {
  readonly hidden: number;
  /** W·x + Wb. */
  readonly fromInput: readonly number[];
  /** R·h + Rb. */
  readonly fromState: readonly number[];
  readonly h: readonly number[];
  readonly c: readonly number[];
  /** Row i of R·v + Rb. */
  readonly recur: (row: number, v: readonly number[]) => number;
  readonly peepholes: readonly number[];
  readonly activations: readonly Activation[];
}

interface State {
  readonly h: readonly number[];
  readonly c: readonly number[];
}

type Cell = (step: Step) => State;

const gate = ({ hidden, fromInput, fromState }: Step, index: number, unit: number): number =>
  (fromInput[index * hidden + unit] as number) + (fromState[index * hidden + unit] as number);

const units = (hidden: number, f: (unit: number) => number): number[] =>
  Array.from({ length: hidden }, (_, unit) => f(unit));

const rnn: Cell = (step) => {
  const [f] = step.activations as [Activation];
  return { h: units(step.hidden, (unit) => f(gate(step, 0, unit))), c: [] };
};

const gru =
  (isLinearFirst: boolean): Cell =>
  (step) => {
    const { hidden, h, fromInput, fromState, recur } = step;
    const [f, g] = step.activations as [Activation, Activation];
    const update = units(hidden, (unit) => f(gate(step, 0, unit)));
    const reset = units(hidden, (unit) => f(gate(step, 1, unit)));
    const kept = h.map((x, unit) => x * (reset[unit] as number));
    const candidate = units(hidden, (unit) => {
      const row = 2 * hidden + unit;
      const recurrent = isLinearFirst ? (reset[unit] as number) * (fromState[row] as number) : recur(row, kept);
      return g((fromInput[row] as number) + recurrent);
    });
    const mixed = (unit: number) => {
      const z = update[unit] as number;
      return (1 - z) * (candidate[unit] as number) + z * (h[unit] as number);
    };
    return { h: units(hidden, mixed), c: [] };
  };

/** Gates in the order input, output, forget, cell; peepholes in that of input, output, forget. */
const lstm =
  (isCoupled: boolean): Cell =>
  (step) => {
    const { hidden, c, peepholes } = step;
    const [f, g, last] = step.activations as [Activation, Activation, Activation];
    const peep = (index: number, unit: number, cell: number) => (peepholes[index * hidden + unit] ?? 0) * cell;
    const cells = units(hidden, (unit) => {
      const before = c[unit] as number;
      const input = f(gate(step, 0, unit) + peep(0, unit, before));
      const forget = isCoupled ? 1 - input : f(gate(step, 2, unit) + peep(2, unit, before));
      return forget * before + input * g(gate(step, 3, unit));
    });
    const h = units(hidden, (unit) => {
      const cell = cells[unit] as number;
      return f(gate(step, 1, unit) + peep(1, unit, cell)) * last(cell);
    });
    return { h, c: cells };
  };

/** The matrix times the vector, plus a bias; row by row. */
const rowTimes = (
  matrix: readonly number[],
  bias: readonly number[],
  start: number,
  biasStart: number,
  row: number,
  v: readonly number[],
) => {
  let sum = bias[biasStart + row] ?? 0;
  for (let i = 0; i < v.length; i++) sum += (matrix[start + row * v.length + i] as number) * (v[i] as number);
  return sum;
};

interface Shape {
  readonly gates: number;
  readonly activations: readonly string[];
  readonly cellOf: (node: ReferenceNode) => Cell;
}

const swapped = (x: PlainArray, isBatchFirst: boolean): PlainArray =>
  isBatchFirst ? transpose(x, [1, 0, ...Array.from(x.dims.keys()).slice(2)]) : x;

const recurrent =
  ({ gates, activations: fallback, cellOf }: Shape): Reference =>
  (node) => {
    const isBatchFirst = int(node, 'layout', 0) === 1;
    const x = swapped(tensor(node, 0), isBatchFirst);
    const [w, r] = [tensor(node, 1), tensor(node, 2)];
    const [length, batch, width] = x.dims as [number, number, number];
    const [directions, , hidden] = r.dims as [number, number, number];
    const activations = activationsOf(node, fallback, directions);
    if (node.opset < 7 || !activations || !isFloat(x.type)) return undefined;
    const rows = gates * hidden;
    const bias = listed(node, 3) ?? [];
    const lengths = listed(node, 4);
    const states = [5, 6].map((i) => (node.inputs[i] ? swapped(tensor(node, i), isBatchFirst).data : [])) as number[][];
    const peepholes = listed(node, 7) ?? [];
    const cell = cellOf(node);
    const direction = text(node, 'direction', 'forward');
    const y = new Array<number>(length * directions * batch * hidden).fill(0);
    const [lastH, lastC]: [number[], number[]] = [[], []];
    for (let d = 0; d < directions; d++) {
      const isReverse = direction === 'reverse' || d === 1;
      const own = { start: d * rows, biases: d * 2 * rows };
      for (let b = 0; b < batch; b++) {
        const initial = (i: number) => units(hidden, (unit) => states[i]?.[(d * batch + b) * hidden + unit] ?? 0);
        let state: State = { h: initial(0), c: initial(1) };
        const steps = lengths?.[b] ?? length;
        for (let step = 0; step < steps; step++) {
          const t = isReverse ? steps - 1 - step : step;
          const input = (x.data as number[]).slice((t * batch + b) * width, (t * batch + b + 1) * width);
          const recur = (row: number, v: readonly number[]) =>
            rowTimes(r.data as number[], bias, own.start * hidden, own.biases + rows, row, v);
          const { h } = state;
          state = cell({
            hidden,
            ...state,
            fromInput: units(rows, (row) =>
              rowTimes(w.data as number[], bias, own.start * width, own.biases, row, input),
            ),
            fromState: units(rows, (row) => recur(row, h)),
            recur,
            peepholes: peepholes.slice(d * 3 * hidden, (d + 1) * 3 * hidden),
            activations: activations.slice(d * fallback.length, (d + 1) * fallback.length),
          });
          state.h.forEach((value, unit) => {
            y[((t * directions + d) * batch + b) * hidden + unit] = value;
          });
        }
        lastH.push(...state.h);
        lastC.push(...state.c);
      }
    }
    const whole = plain(x.type, [length, directions, batch, hidden], y);
    const final = (data: number[]) => swapped(plain(x.type, [directions, batch, hidden], data), isBatchFirst);
    const first = isBatchFirst ? transpose(whole, [2, 0, 1, 3]) : whole;
    return lastC.length ? [first, final(lastH), final(lastC)] : [first, final(lastH)];
  };

export const RECURRENT: References = {
  RNN: recurrent({ gates: 1, activations: ['Tanh'], cellOf: () => rnn }),
  GRU: recurrent({
    gates: 3,
    activations: ['Sigmoid', 'Tanh'],
    cellOf: (node) => gru(int(node, 'linear_before_reset', 0) !== 0),
  }),
  LSTM: recurrent({
    gates: 4,
    activations: ['Sigmoid', 'Tanh', 'Tanh'],
    cellOf: (node) => lstm(int(node, 'input_forget', 0) !== 0),
  }),
};
