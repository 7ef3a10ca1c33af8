import type { Attribute, Value } from '../../../../graph/graph.js';
import { type Draft, refuse, type Settings } from '../draft.js';
import { nameOf } from './activations.js';
import { type Call, type Config, flag, type Layer, type LayerDef, type Layers, number, text } from './layer.js';

/** Activations of ONNX's recurrent operators with their parameters. */
const ACTIVATIONS: Readonly<Record<string, readonly [op: string, alpha?: number, beta?: number]>> = {
  tanh: ['Tanh'],
  sigmoid: ['Sigmoid'],
  hardsigmoid: ['HardSigmoid', 0.2, 0.5],
  relu: ['Relu'],
  elu: ['Elu', 1],
  softsign: ['Softsign'],
  softplus: ['Softplus'],
  linear: ['Affine', 1, 0],
};

interface Cell {
  readonly op: 'LSTM' | 'GRU' | 'RNN';
  /** The positions of Keras' gates in ONNX's order. */
  readonly gates: readonly number[];
  /** The number of activations besides that of the gates. */
  readonly states: number;
}

const CELLS: Readonly<Record<string, Cell>> = {
  LSTM: { op: 'LSTM', gates: [0, 3, 1, 2], states: 2 },
  GRU: { op: 'GRU', gates: [0, 1, 2], states: 1 },
  SimpleRNN: { op: 'RNN', gates: [0], states: 1 },
};

function settingsOf({ op, states }: Cell, config: Config): Settings {
  const own = nameOf(config, 'activation', 'tanh');
  const gates = nameOf(config, 'recurrent_activation', 'hard_sigmoid');
  const names = op === 'RNN' ? [own] : [gates, ...new Array<string>(states).fill(own)];
  const rows = names.map(
    (name) => ACTIVATIONS[name] ?? refuse(`ONNX's ${op} does not support the activation "${name}"`),
  );
  const floats = (i: 1 | 2): Attribute => ({ type: 'floats', value: rows.flatMap((row) => row[i] ?? []) });
  return {
    hidden_size: number(config, 'units'),
    activations: { type: 'strings', value: rows.map(([name]) => name) },
    activation_alpha: floats(1),
    activation_beta: floats(2),
    ...(op === 'GRU' && { linear_before_reset: Number(flag(config, 'reset_after')) }),
  };
}

/** Converts weights from [in, gates · units] to [1, gates · units, in], with gates in ONNX's order. */
function gatesOf(d: Draft, kernel: Value, { gates }: Cell, units: number): Value {
  const columns = d.transpose(kernel, [1, 0]);
  const parts = gates.map((gate) => d.slice(columns, 0, gate * units, (gate + 1) * units));
  return d.unsqueeze(d.emit('Concat', parts, { axis: 0 }), 0);
}

/** Concatenates the biases of input and state. In Keras, only a GRU with reset_after has biases of the state. */
function biasOf(d: Draft, bias: Value, cell: Cell, units: number): Value {
  const rows = d.rank(bias) === 2 ? [0, 1].map((row) => d.slice(bias, 0, row, row + 1)) : [d.unsqueeze(bias, 0)];
  const [own, state] = rows.map((row) => d.squeeze(gatesOf(d, row, cell, units), 2)) as [Value, Value?];
  return d.emit('Concat', [own, state ?? d.emit('Mul', [own, d.number('float32', 0)])], { axis: 1 });
}

interface Run {
  /** All outputs in the order of time, [batch, time, units]. */
  readonly all: Value;
  /** The last value of each state, [batch, units]. */
  readonly last: readonly Value[];
}

function run({ d, x, config, weight, find }: Call, cell: Cell, states: readonly Value[], isBackwards: boolean): Run {
  if (flag(config, 'stateful')) refuse('stateful recurrent layers are not supported');
  const units = number(config, 'units');
  const bias = find('bias');
  const inputs = [
    d.transpose(x, [1, 0, 2]),
    gatesOf(d, weight('kernel'), cell, units),
    gatesOf(d, weight('recurrent_kernel'), cell, units),
    bias ? biasOf(d, bias, cell, units) : null,
    null,
    ...states.map((state) => d.unsqueeze(state, 0)),
  ];
  const settings = { ...settingsOf(cell, config), ...(isBackwards && { direction: 'reverse' }) };
  const [all, ...last] = d.all(cell.op, inputs, settings, cell.op === 'LSTM' ? 3 : 2) as [Value, ...Value[]];
  return { all: d.transpose(d.squeeze(all, 1), [1, 0, 2]), last: last.map((state) => d.squeeze(state, 0)) };
}

const inReverse = (d: Draft, x: Value): Value => d.slice(x, 1, -1, -(2 ** 31 - 1), -1);

const recurrent =
  (cell: Cell): Layer =>
  (call) => {
    const { d, config, inputs } = call;
    const isBackwards = flag(config, 'go_backwards');
    const { all, last } = run(call, cell, inputs.slice(1), isBackwards);
    const result = flag(config, 'return_sequences') ? (isBackwards ? inReverse(d, all) : all) : (last[0] as Value);
    return flag(config, 'return_state') ? [result, ...last] : [result];
  };

const MERGED: Readonly<Record<string, (d: Draft, a: Value, b: Value) => Value[]>> = {
  concat: (d, a, b) => [d.emit('Concat', [a, b], { axis: -1 })],
  sum: (d, a, b) => [d.emit('Add', [a, b])],
  ave: (d, a, b) => [d.emit('Mean', [a, b])],
  mul: (d, a, b) => [d.emit('Mul', [a, b])],
  null: (_, a, b) => [a, b],
};

const bidirectional: Layer = (call) => {
  const { d, inputs, config, inner } = call;
  const layer = config.layer as LayerDef;
  const states = (inputs.length - 1) / 2;
  const backwards = { ...layer.config, go_backwards: !flag(layer.config, 'go_backwards') };
  const [x, ...given] = inputs as [Value, ...Value[]];
  const forward = inner(layer, [x, ...given.slice(0, states)], 'forward_');
  const backward = inner({ ...layer, config: backwards }, [x, ...given.slice(states)], 'backward_');
  const [first, second] = [forward[0], backward[0]] as [Value, Value];
  const turned = flag(layer.config, 'return_sequences') ? inReverse(d, second) : second;
  const mode = config.merge_mode === null ? 'null' : text(config, 'merge_mode', 'concat');
  const merged = MERGED[mode] ?? refuse(`unknown merge_mode "${mode}"`);
  return [...merged(d, first, turned), ...forward.slice(1), ...backward.slice(1)];
};

/** Merges the time axis into the batch. */
const timeDistributed: Layer = ({ d, x, config, inner }) => {
  const shape = d.shape(x);
  const sizes = (of: Value, begin: number) => d.slice(d.shape(of), 0, begin, 2 ** 31 - 1);
  const known = d.dims(x)?.slice(2) ?? [];
  const rest = known.every((size) => typeof size === 'number') ? d.list(...(known as number[])) : sizes(x, 2);
  const flat = d.op('Reshape', [x, d.emit('Concat', [d.list(-1), rest], { axis: 0 })]);
  const [made] = inner(config.layer as LayerDef, [flat]) as [Value];
  return d.op('Reshape', [made, d.emit('Concat', [d.slice(shape, 0, 0, 2), sizes(made, 1)], { axis: 0 })]);
};

/** An RNN layer that contains a cell. */
const ofCell: Layer = ({ inputs, config, inner }) => {
  const cell = config.cell as LayerDef;
  const class_name = cell.class_name.replace(/Cell$/, '');
  if (!Object.hasOwn(CELLS, class_name)) refuse(`unknown cell "${cell.class_name}"`);
  return inner({ class_name, config: { ...cell.config, ...config } }, inputs);
};

export const recurrence: Layers = {
  ...Object.fromEntries(Object.entries(CELLS).map(([name, cell]) => [name, recurrent(cell)])),
  RNN: ofCell,
  Bidirectional: bidirectional,
  TimeDistributed: timeDistributed,
};
