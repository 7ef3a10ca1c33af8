import { float } from '../../../../src/builder/index.js';
import { type Draft, type KnownTensor, Unfit } from '../draft.js';
import { isReal, type Maker, type Makers } from '../makers/maker.js';
import { type Spelling, spelling } from './spelling.js';

type Write = (g: Draft, x: KnownTensor, s: Spelling) => void;

const constant = (g: Draft, s: Spelling, x: KnownTensor, value: number) =>
  g.number(s.number(value), x.type, g.choices.pick([[], [], [1]]));

/** x·½·(1 + erf(x/√2)), its factors in any order. */
const gelu: Write = (g, x, s) => {
  const c = (value: number) => constant(g, s, x, value);
  const ratio = g.choices.chance(0.5) ? g.op('Div', [x, c(Math.SQRT2)]) : g.op('Mul', s.either(x, c(Math.SQRT1_2)));
  const sum = g.op('Add', s.either(g.op('Erf', [ratio]), c(1)));
  const order = g.choices.below(3);
  if (order === 0) g.op('Mul', s.either(g.op('Mul', s.either(x, sum)), c(0.5)));
  else if (order === 1) g.op('Mul', s.either(g.op('Mul', s.either(x, c(0.5))), sum));
  else g.op('Mul', s.either(x, g.op('Mul', s.either(sum, c(0.5)))));
};

/** ½·x·(1 + tanh(√(2/π)·(x + 0.044715·x³))). */
const tanhGelu: Write = (g, x, s) => {
  const c = (value: number) => constant(g, s, x, value);
  const cube = g.choices.chance(0.5) ? g.op('Pow', [x, c(3)]) : g.op('Mul', s.either(x, g.op('Mul', [x, x])));
  const inner = g.op('Add', s.either(x, g.op('Mul', s.either(cube, c(0.044715)))));
  const sum = g.op('Add', s.either(g.op('Tanh', [g.op('Mul', s.either(inner, c(Math.sqrt(2 / Math.PI))))]), c(1)));
  g.op('Mul', s.either(g.op('Mul', s.either(x, c(0.5))), sum));
};

const silu: Write = (g, x, s) => {
  const inner = g.choices.chance(0.3) ? g.op('Mul', s.either(x, constant(g, s, x, 1.702))) : x;
  g.op('Mul', s.either(x, g.op(s.slip(() => 'Tanh') ?? 'Sigmoid', [inner])));
};

/** x·clip(x + 3, 0, 6)/6. */
const hardSwish: Write = (g, x, s) => {
  const c = (value: number) => constant(g, s, x, value);
  const moved = g.op('Add', s.either(x, c(3)));
  const clipped = g.op('Clip', [moved, g.number(0, x.type), g.number(s.number(6), x.type)]);
  if (g.choices.chance(0.5)) g.op('Div', [g.op('Mul', s.either(x, clipped)), c(6)]);
  else g.op('Mul', s.either(x, g.op('Div', [clipped, c(6)])));
};

const hardSigmoid: Write = (g, x, s) => {
  const made = g.op('HardSigmoid', [x], { alpha: float(s.number(1 / 6)), beta: float(s.number(0.5)) });
  if (g.choices.chance(0.6)) g.op('Mul', s.either(x, made));
};

const mish: Write = (g, x, s) => {
  const soft = g.choices.chance(0.6)
    ? g.op('Softplus', [x])
    : g.op('Log', [g.op('Add', s.either(g.op('Exp', [x]), constant(g, s, x, 1)))]);
  g.op('Mul', s.either(x, g.op(s.slip(() => 'Sigmoid') ?? 'Tanh', [soft])));
};

/** Exp(x − max) / sum. */
const softmax: Write = (g, x, s) => {
  const reduce = (op: string, y: KnownTensor, axis: number) =>
    g.opset >= 18 || op === 'ReduceSum' ? g.op(op, [y, g.integers([axis])]) : g.op(op, [y], { axes: [axis] });
  const power = g.op('Exp', [g.op('Sub', [x, reduce('ReduceMax', x, -1)])]);
  g.op('Div', [power, reduce('ReduceSum', power, s.slip(() => 0) ?? -1)]);
};

/** What changes nothing, or nearly. */
const neutral: Write = (g, x, s) => {
  const { pick } = g.choices;
  const [op, value] = pick([
    ['Add', 0],
    ['Mul', 1],
    ['Sub', 0],
    ['Div', 1],
    ['Pow', 1],
  ] as const);
  const dims = pick([[], [1], x.dims.map(() => 1)]);
  g.op(op, [x, g.number(s.slip(() => 2) ?? value, x.type, dims)]);
};

/** Two or three affine steps, which fold into what is around them. */
const affine: Write = (g, x, s) => {
  let y = x;
  for (let n = 2 + g.choices.below(2); n > 0; n--) {
    const other = g.choices.chance(0.5)
      ? g.floats(
          x.dims.slice(-1).map((d) => Math.max(d, 1)),
          x.type,
        )
      : constant(g, s, x, 1.5);
    y = g.op(g.choices.pick(['Add', 'Mul', 'Sub', 'Div']), s.either(y, other));
  }
};

const written =
  (write: Write): Maker =>
  (g, x) => {
    if (!isReal(x)) throw new Unfit();
    write(g, x, spelling(g));
  };

export const ACTIVATIONS: Makers = [
  [3, written(gelu)],
  [2, written(tanhGelu)],
  [3, written(silu)],
  [2, written(hardSwish)],
  [2, written(hardSigmoid)],
  [1, written(mish)],
  [1.5, written(softmax)],
  [2, written(neutral)],
  [2, written(affine)],
];
