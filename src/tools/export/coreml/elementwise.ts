import { elementTypeOf } from '../../../tensor/element-types.js';
import { type MilType, scalar } from './mil.js';
import { milType, type Recipe, refuse, type View } from './program.js';
import { spread } from './spread.js';

/** Unary operators and their names in MIL. */
const UNARY: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      'Relu',
      'Sigmoid',
      'Tanh',
      'Exp',
      'Sqrt',
      'Abs',
      'Floor',
      'Ceil',
      'Round',
      'Erf',
      'Sin',
      'Cos',
      'Tan',
      'Asin',
      'Acos',
    ]
      .concat(['Atan', 'Sinh', 'Cosh', 'Atanh', 'Sign', 'Softplus', 'Softsign', 'Identity', 'Log', 'Reciprocal'])
      .map((name) => [name, name.toLowerCase()]),
  ),
  Reciprocal: 'inverse',
  Not: 'logical_not',
};

const BINARY: Readonly<Record<string, string>> = {
  Add: 'add',
  Sub: 'sub',
  Mul: 'mul',
  Pow: 'pow',
  Equal: 'equal',
  Greater: 'greater',
  GreaterOrEqual: 'greater_equal',
  Less: 'less',
  LessOrEqual: 'less_equal',
  And: 'logical_and',
  Or: 'logical_or',
  Xor: 'logical_xor',
};

/** Activations with parameters: MIL's name, and ONNX's name and default for each of MIL's parameters. */
const ACTIVATIONS: Readonly<Record<string, readonly [string, Readonly<Record<string, readonly [string, number]>>]>> = {
  LeakyRelu: ['leaky_relu', { alpha: ['alpha', 0.01] }],
  Elu: ['elu', { alpha: ['alpha', 1] }],
  ThresholdedRelu: ['thresholded_relu', { alpha: ['alpha', 1] }],
  HardSigmoid: ['sigmoid_hard', { alpha: ['alpha', 0.2], beta: ['beta', 0.5] }],
};

/** Operations in which MIL adds an epsilon to the argument. It is set to 0. */
const EPSILON: Readonly<Record<string, true>> = { log: true, inverse: true };

const unary =
  (type: string): Recipe =>
  (view) =>
    view.give(type, { x: view.x(0), ...(EPSILON[type] && { epsilon: scalar('fp32', 0) }) });

const binary =
  (type: string): Recipe =>
  (view) =>
    view.give(type, { x: view.x(0), y: view.x(1) });

const activation =
  ([type, parameters]: (typeof ACTIVATIONS)[string]): Recipe =>
  (view) =>
    view.give(type, {
      x: view.x(0),
      ...Object.fromEntries(
        Object.entries(parameters).map(([name, [own, otherwise]]) => [name, view.float(own, otherwise)]),
      ),
    });

/** Applies a binary operation to all inputs in turn. */
const chained =
  (type: string): Recipe =>
  (view) => {
    const { length } = view.node.input;
    let x = view.x(0);
    for (let i = 1; i < length - 1; i++) x = view.step(type, { x, y: view.x(i) }, view.out);
    view.give(length > 1 ? type : 'identity', length > 1 ? { x, y: view.x(length - 1) } : { x });
  };

const NAMES: Readonly<Record<MilType, string>> = { fp32: 'fp32', int32: 'int32', bool: 'bool', string: 'string' };

/** The bounds of Clip are limited to the range of float32. */
const LARGEST = 3.4028234663852886e38;

const bound = (view: View, i: number, otherwise: number): number =>
  view.has(i) ? (view.numbers(i)[0] as number) : otherwise;

const own: Readonly<Record<string, Recipe>> = {
  Max: chained('maximum'),
  Min: chained('minimum'),
  Sum: chained('add'),
  Div: (view) => {
    if (view.out.type !== 'fp32') refuse('Core ML does not support integer division that truncates');
    binary('real_div')(view);
  },
  Neg: (view) => view.give('mul', { x: view.x(0), y: scalar(view.out.type, -1) }),
  Where: (view) => {
    const [cond, a, b] = [0, 1, 2].map((i) => spread(view, i, view.out.dims)) as [string, string, string];
    view.give('select', { cond, a, b });
  },
  Clip: (view) => {
    if (view.out.type !== 'fp32') refuse('Core ML only supports Clip on floats');
    const [least, largest] = [bound(view, 1, -LARGEST), bound(view, 2, LARGEST)];
    view.give('clip', { x: view.x(0), alpha: scalar('fp32', least), beta: scalar('fp32', largest) });
  },
  PRelu: (view) => {
    const below = view.step('minimum', { x: view.x(0), y: scalar('fp32', 0) }, view.out);
    const sloped = view.step('mul', { x: below, y: view.x(1) }, view.out);
    view.give('add', { x: view.step('relu', { x: view.x(0) }, view.out), y: sloped });
  },
  Gelu: (view) => {
    const mode = view.text('approximate', 'none') === 'tanh' ? 'TANH_APPROXIMATION' : 'EXACT';
    view.give('gelu', { x: view.x(0), mode: scalar('string', mode) });
  },
  HardSwish: (view) => {
    const inputs = { x: view.x(0), alpha: scalar('fp32', Math.fround(1 / 6)), beta: scalar('fp32', 0.5) };
    view.give('mul', { x: view.x(0), y: view.step('sigmoid_hard', inputs, view.out) });
  },
  Cast: (view) => {
    const type = elementTypeOf(view.int('to', 1));
    view.give('cast', { x: view.x(0), dtype: scalar('string', NAMES[milType(type ?? 'string')]) });
  },
};

const mapped = <T>(table: Readonly<Record<string, T>>, recipe: (entry: T) => Recipe): Record<string, Recipe> =>
  Object.fromEntries(Object.entries(table).map(([name, entry]) => [name, recipe(entry)]));

export const ELEMENTWISE: Readonly<Record<string, Recipe>> = {
  ...mapped(UNARY, unary),
  ...mapped(BINARY, binary),
  ...mapped(ACTIVATIONS, activation),
  ...own,
};
