import { float, int } from '../../../../src/builder/index.js';
import { type Draft, type KnownTensor, Unfit } from '../draft.js';
import { givenOr, isReal, type Maker, type Makers } from './maker.js';
import { constantFor, partnerOf, scalarLike } from './partner.js';

const UNARY = [
  ...[
    'Abs',
    'Neg',
    'Sign',
    'Identity',
    'Relu',
    'Sigmoid',
    'Tanh',
    'Erf',
    'Exp',
    'Softplus',
    'Softsign',
    'HardSwish',
    'Mish',
    'Sin',
    'Cos',
  ],
  ...[
    'Floor',
    'Ceil',
    'Round',
    'Not',
    'IsNaN',
    'IsInf',
    'Atan',
    'Asinh',
    'Sinh',
    'Cosh',
    'Sqrt',
    'Log',
    'Reciprocal',
    'BitwiseNot',
    'Tan',
  ],
  ...['Acos', 'Asin', 'Atanh', 'Acosh', 'Shrink'],
];
const BINARY = [
  'Add',
  'Sub',
  'Mul',
  'Div',
  'Max',
  'Min',
  'Pow',
  'Mod',
  'BitwiseAnd',
  'BitwiseOr',
  'BitwiseXor',
  'PRelu',
];
const COMMON = ['Add', 'Sub', 'Mul', 'Div', 'Max', 'Min'];
const COMPARISONS = ['Equal', 'Less', 'Greater', 'LessOrEqual', 'GreaterOrEqual'];
const LOGIC = ['And', 'Or', 'Xor'];
const VARIADIC = ['Sum', 'Mean', 'Max', 'Min'];

const allowed = (g: Draft, ops: readonly string[], x: KnownTensor) => {
  const fitting = ops.filter((op) => g.admits(op, 0, x.type));
  if (fitting.length === 0) throw new Unfit();
  return fitting;
};

export const unary: Maker = (g, x) => void g.op(g.choices.pick(allowed(g, UNARY, x)), [x]);

const rounding: Maker = (g, x) => {
  if (!isReal(x)) throw new Unfit();
  g.op(g.choices.pick(['Round', 'Round', 'Floor', 'Ceil']), [givenOr(g, x)]);
};

const either = (g: Draft, a: KnownTensor, b: KnownTensor) => (g.choices.chance(0.5) ? [a, b] : [b, a]);

export const binary: Maker = (g, x) => {
  const op = g.choices.pick(allowed(g, g.choices.chance(0.75) ? COMMON : BINARY, x));
  // Rounding may make a divisor 0, and the remainder NaN.
  if (op === 'Mod' && isReal(x))
    return void g.op(op, [x, scalarLike(g, x, g.choices.pick([2, 0.75, -1.5]))], { fmod: 1 });
  if (op !== 'PRelu') return void g.op(op, either(g, x, partnerOf(g, x)));
  const slope = constantFor(g, x);
  if (slope.dims.length > x.dims.length) throw new Unfit();
  g.op(op, [x, slope]);
};

const compare: Maker = (g, x) => {
  const op = g.choices.pick(allowed(g, x.type === 'bool' ? LOGIC : COMPARISONS, x));
  const mask = g.op(op, either(g, x, partnerOf(g, x)));
  if (!g.choices.chance(0.6)) return;
  const first = g.choices.chance(0.6) ? x : partnerOf(g, x);
  g.op('Where', [mask, ...either(g, first, partnerOf(g, x, first.type))]);
};

const variadic: Maker = (g, x) => {
  const op = g.choices.pick(allowed(g, VARIADIC, x));
  const more = Array.from({ length: g.choices.below(3) }, () => partnerOf(g, x));
  g.op(op, g.choices.shuffled([x, ...more]));
};

const gate: Maker = (g, x) => void g.op('Mul', either(g, x, g.op(g.choices.pick(['Sigmoid', 'Tanh', 'Relu']), [x])));

const clip: Maker = (g, x) => {
  const bound = (value: number) => (g.choices.chance(0.8) ? scalarLike(g, x, value) : null);
  const low = g.choices.pick([0, -1, 0.5]);
  g.op('Clip', [x, bound(low), bound(low + g.choices.pick([1, 6, 0.25]))]);
};

const PARAMETRIC: Readonly<Record<string, readonly string[]>> = {
  LeakyRelu: ['alpha'],
  Elu: ['alpha'],
  Celu: ['alpha'],
  ThresholdedRelu: ['alpha'],
  Selu: ['alpha', 'gamma'],
  HardSigmoid: ['alpha', 'beta'],
  Shrink: ['bias', 'lambd'],
};

const parametric: Maker = (g, x) => {
  const { pick, chance } = g.choices;
  const op = pick(allowed(g, Object.keys(PARAMETRIC), x));
  const names = (PARAMETRIC[op] as readonly string[]).filter(() => chance(0.7));
  g.op(op, [x], Object.fromEntries(names.map((name) => [name, float(pick([0.1, 0.25, 1, 1.5]))])));
};

const gelu: Maker = (g, x) => void g.op('Gelu', [x], g.choices.chance(0.5) ? { approximate: 'tanh' } : {});

const shift: Maker = (g, x) => {
  const by = scalarLike(g, x, 2);
  g.op('BitShift', [x, by], { direction: g.choices.pick(['LEFT', 'RIGHT']) });
};

const CASTS = [
  'float32',
  'float16',
  'bfloat16',
  'float64',
  'int32',
  'int64',
  'int8',
  'uint8',
  'bool',
  'uint16',
  'int16',
  'uint32',
  'uint64',
] as const;
const CODES = {
  float32: 1,
  uint8: 2,
  int8: 3,
  uint16: 4,
  int16: 5,
  int32: 6,
  int64: 7,
  bool: 9,
  float16: 10,
  float64: 11,
  uint32: 12,
  uint64: 13,
  bfloat16: 16,
};

/** Floats are brought to where every target type can hold them: what lies outside is undefined. */
const cast: Maker = (g, x) => {
  const to = g.choices.pick(CASTS);
  const isNarrow = isReal(x) && !to.includes('float');
  const safe = isNarrow
    ? g.op('Clip', [x, scalarLike(g, x, to.startsWith('u') || to === 'bool' ? 0 : -100), scalarLike(g, x, 100)])
    : x;
  g.op('Cast', [safe], { to: int(CODES[to]) });
};

/** Back to float32, so that the others have something to work on. */
const toFloat: Maker = (g, x) => {
  if (x.type === 'float32') throw new Unfit();
  g.op('Cast', [x], { to: int(CODES.float32) });
};

/** Arithmetic of indices: whole numbers of either sign, and what is left when they are divided. */
const whole: Maker = (g, x) => {
  const { chance, pick } = g.choices;
  const type = pick(['int32', 'int64', 'int8', 'uint8'] as const);
  const y = isReal(x)
    ? g.op('Cast', [g.op('Clip', [x, scalarLike(g, x, type === 'uint8' ? 0 : -99), scalarLike(g, x, 99)])], {
        to: int(CODES[type]),
      })
    : x;
  const divisor = pick([2, 3, 5, 7, -3]);
  if (chance(0.7)) g.op(pick(allowed(g, ['Mod', 'Mod', 'Div'], y)), [y, scalarLike(g, y, divisor)]);
  else g.op(pick(allowed(g, ['Add', 'Sub', 'Mul'], y)), either(g, y, partnerOf(g, y)));
};

const dropout: Maker = (g, x) => void g.op('Dropout', [x]);

export const ELEMENTWISE: Makers = [
  [10, unary],
  [4, rounding],
  [16, binary],
  [4, compare],
  [2, variadic],
  [3, gate],
  [3, clip],
  [2, parametric],
  [2, gelu],
  [1, shift],
  [3, cast],
  [3, toFloat],
  [3, whole],
  [0.5, dropout],
];
