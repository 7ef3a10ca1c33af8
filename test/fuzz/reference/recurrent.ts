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

const clipOf = (node: ReferenceNode): number => Number(node.attributes.clip ?? Number.POSITIVE_INFINITY);

/** What the node names, each taking the next of the listed alphas and betas that it uses, behind the clip. */
function activationsOf(node: ReferenceNode, fallback: readonly string[], directions: number): Activation[] | undefined {
  const names = strings(node, 'activations') ?? Array.from({ length: directions }, () => fallback).flat();
  const [alphas, betas] = [floats(node, 'activation_alpha') ?? [], floats(node, 'activation_beta') ?? []].map((list) =>
    list.values(),
  );
  const clip = clipOf(node);
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

/** The weights of one direction. */
interface Weights {
  readonly w: readonly number[];
  readonly r: readonly number[];
  readonly wb: readonly number[];
  readonly rb: readonly number[];
  readonly peepholes: readonly number[];
  readonly activations: readonly Activation[];
}

/** What a cell sees at one step of one sequence: gates are rows of `hidden` numbers. */
interface Step extends Weights {
  readonly hidden: number;
  /** W·x + Wb. */
  readonly fromInput: readonly number[];
  /** R·h + Rb. */
  readonly fromState: readonly number[];
  readonly h: readonly number[];
  readonly c: readonly number[];
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
    const { hidden, h, fromInput, fromState, r, rb } = step;
    const [f, g] = step.activations as [Activation, Activation];
    const update = units(hidden, (unit) => f(gate(step, 0, unit)));
    const reset = units(hidden, (unit) => f(gate(step, 1, unit)));
    const kept = h.map((x, unit) => x * (reset[unit] as number));
    const candidate = units(hidden, (unit) => {
      const row = 2 * hidden + unit;
      const recurrent = isLinearFirst
        ? (reset[unit] as number) * (fromState[row] as number)
        : timesRow(r, rb, row, kept);
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

/** One row of a matrix times a vector, plus a bias. */
function timesRow(matrix: readonly number[], bias: readonly number[], row: number, v: readonly number[]): number {
  let sum = bias[row] ?? 0;
  for (let i = 0; i < v.length; i++) sum += (matrix[row * v.length + i] as number) * (v[i] as number);
  return sum;
}

/** The state after each step. */
function statesOver(cell: Cell, weights: Weights, inputs: readonly (readonly number[])[], initial: State): State[] {
  const { w, r, wb, rb } = weights;
  const hidden = initial.h.length;
  const rows = r.length / hidden;
  let state = initial;
  return inputs.map((input) => {
    const { h, c } = state;
    const fromInput = units(rows, (row) => timesRow(w, wb, row, input));
    const fromState = units(rows, (row) => timesRow(r, rb, row, h));
    state = cell({ ...weights, hidden, fromInput, fromState, h, c });
    return state;
  });
}

/** The i-th of equal parts. */
const share = (x: readonly number[], parts: number, i: number): readonly number[] =>
  x.slice((x.length / parts) * i, (x.length / parts) * (i + 1));

function weightsOf(node: ReferenceNode, activations: readonly Activation[], directions: number, d: number): Weights {
  const [w, r, bias, peepholes] = [1, 2, 3, 7].map((i) => share(listed(node, i) ?? [], directions, d)) as [
    number[],
    number[],
    number[],
    number[],
  ];
  const each = activations.length / directions;
  return {
    w,
    r,
    wb: share(bias, 2, 0),
    rb: share(bias, 2, 1),
    peepholes,
    activations: activations.slice(d * each, (d + 1) * each),
  };
}

interface Family {
  /** Of one direction. */
  readonly activations: readonly string[];
  readonly hasCells?: boolean;
  readonly cellOf: (node: ReferenceNode) => Cell;
}

const swapped = (x: PlainArray, isBatchFirst: boolean): PlainArray =>
  isBatchFirst ? transpose(x, [1, 0, ...Array.from(x.dims.keys()).slice(2)]) : x;

/**
 * Open: whether a cell beyond the clip is clipped before its last activation, as the text says and runtimes do not; what the last
 * state of no steps is.
 */
const recurrent =
  ({ activations: fallback, hasCells = false, cellOf }: Family): Reference =>
  (node) => {
    const isBatchFirst = int(node, 'layout', 0) === 1;
    const x = swapped(tensor(node, 0), isBatchFirst);
    const [length, batch] = x.dims as [number, number];
    const [directions, , hidden] = tensor(node, 2).dims as [number, number, number];
    const activations = activationsOf(node, fallback, directions);
    if (node.opset < 7 || !activations || !isFloat(x.type)) return undefined;
    const lengths = listed(node, 4);
    if (lengths?.includes(0)) return undefined;
    const clip = clipOf(node);
    const initial = [5, 6].map((i) =>
      node.inputs[i] ? swapped(tensor(node, i), isBatchFirst).data : [],
    ) as number[][];
    const y = new Array<number>(length * directions * batch * hidden).fill(0);
    const [lastH, lastC]: [number[], number[]] = [[], []];
    for (let d = 0; d < directions; d++) {
      const weights = weightsOf(node, activations, directions, d);
      const isReverse = text(node, 'direction', 'forward') === 'reverse' || d === 1;
      for (let b = 0; b < batch; b++) {
        const lane = d * batch + b;
        const own = (state: readonly number[] = []) => units(hidden, (unit) => state[lane * hidden + unit] ?? 0);
        const forward = Array.from({ length: lengths?.[b] ?? length }, (_, t) => t);
        const times = isReverse ? forward.reverse() : forward;
        const inputs = times.map((t) => share(x.data as number[], length * batch, t * batch + b));
        const first: State = { h: own(initial[0]), c: own(initial[1]) };
        const states = statesOver(cellOf(node), weights, inputs, first);
        times.forEach((t, step) => {
          const at = ((t * directions + d) * batch + b) * hidden;
          states[step]?.h.forEach((value, unit) => {
            y[at + unit] = value;
          });
        });
        if (hasCells && states.some(({ c }) => c.some((x) => Math.abs(x) > clip))) return undefined;
        const last = states.at(-1) ?? first;
        lastH.push(...last.h);
        lastC.push(...last.c);
      }
    }
    const whole = plain(x.type, [length, directions, batch, hidden], y);
    const final = (data: number[]) => swapped(plain(x.type, [directions, batch, hidden], data), isBatchFirst);
    const first = isBatchFirst ? transpose(whole, [2, 0, 1, 3]) : whole;
    return [first, final(lastH), ...(hasCells ? [final(lastC)] : [])];
  };

export const RECURRENT: References = {
  RNN: recurrent({ activations: ['Tanh'], cellOf: () => rnn }),
  GRU: recurrent({
    activations: ['Sigmoid', 'Tanh'],
    cellOf: (node) => gru(int(node, 'linear_before_reset', 0) !== 0),
  }),
  LSTM: recurrent({
    activations: ['Sigmoid', 'Tanh', 'Tanh'],
    hasCells: true,
    cellOf: (node) => lstm(int(node, 'input_forget', 0) !== 0),
  }),
};
