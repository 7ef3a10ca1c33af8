import type { Value } from '../../../../graph/graph.js';
import { type Draft, float, refuse, type Settings } from '../draft.js';
import { clipped } from '../operators/arithmetic.js';
import type { Config } from './layer.js';

type Activation = (d: Draft, x: Value) => Value;

const op =
  (name: string, settings: Settings = {}): Activation =>
  (d, x) =>
    d.op(name, [x], settings);

const times = (d: Draft, x: Value, y: Value): Value => d.op('Mul', [x, y]);
const constant = (d: Draft, value: number): Value => d.number('float32', value);

/** x · (1 + f) / 2 */
const halfOf = (d: Draft, x: Value, f: Value): Value =>
  times(d, times(d, x, constant(d, 0.5)), d.op('Add', [f, constant(d, 1)]));

/** The tanh approximation of GELU, as in GPT-2. */
function geluNew(d: Draft, x: Value): Value {
  const cube = times(d, times(d, times(d, x, x), x), constant(d, 0.044715));
  const inner = times(d, d.op('Add', [x, cube]), constant(d, Math.sqrt(2 / Math.PI)));
  return halfOf(d, x, d.op('Tanh', [inner]));
}

const swish: Activation = (d, x) => times(d, x, d.op('Sigmoid', [x]));

/** Activations by Keras' names without underscores and capitals. */
const ACTIVATIONS: Readonly<Record<string, Activation>> = {
  linear: (_, x) => x,
  elu: op('Elu'),
  exponential: op('Exp'),
  gelu: (d, x) => halfOf(d, x, d.op('Erf', [times(d, x, constant(d, Math.SQRT1_2))])),
  gelunew: geluNew,
  hardsigmoid: op('HardSigmoid', { alpha: float(0.2), beta: float(0.5) }),
  logsoftmax: op('LogSoftmax', { axis: -1 }),
  mish: (d, x) => times(d, x, d.op('Tanh', [d.op('Softplus', [x])])),
  relu: op('Relu'),
  relu6: (d, x) => clipped(d, x, 0, 6),
  selu: op('Selu'),
  sigmoid: op('Sigmoid'),
  silu: swish,
  softmax: op('Softmax', { axis: -1 }),
  softplus: op('Softplus'),
  softsign: op('Softsign'),
  swish,
  tanh: op('Tanh'),
};

/** The normalized name of an activation, given as a name or a class. */
export function nameOf(config: Config, key = 'activation', standard = 'linear'): string {
  const value = config[key] ?? standard;
  const name = typeof value === 'object' ? (value as { class_name?: string }).class_name : value;
  return String(name).replace(/_/g, '').toLowerCase();
}

export function activated(d: Draft, x: Value, config: Config): Value {
  const name = nameOf(config);
  const activation = Object.hasOwn(ACTIVATIONS, name) ? ACTIVATIONS[name] : undefined;
  return activation ? activation(d, x) : refuse(`unsupported activation "${name}"`);
}
