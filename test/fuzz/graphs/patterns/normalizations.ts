import { float, ints } from '../../../../src/builder/index.js';
import { type Draft, type KnownTensor, Unfit } from '../draft.js';
import { isFixed, isReal, type Maker, type Makers, widthOf } from '../makers/maker.js';
import { type Spelling, spelling } from './spelling.js';

const mean = (g: Draft, x: KnownTensor, axis: number) =>
  g.opset >= 18 ? g.op('ReduceMean', [x, g.integers([axis])]) : g.op('ReduceMean', [x], { axes: ints([axis]) });

const square = (g: Draft, s: Spelling, x: KnownTensor) =>
  g.choices.chance(0.5) ? g.op('Mul', [x, x]) : g.op('Pow', [x, g.number(s.number(2), x.type)]);

/** (x − mean) / √(variance + ε) · γ + β, as PyTorch, Keras and others write it. */
const layerNorm: Maker = (g, x) => {
  const width = widthOf(x);
  const s = spelling(g);
  const axis = s.slip(() => x.dims.length - 2) ?? g.choices.pick([-1, x.dims.length - 1]);
  const centred = g.op('Sub', [x, mean(g, x, axis)]);
  const again = g.choices.chance(0.3) ? g.op('Sub', [x, mean(g, x, axis)]) : centred;
  const variance = mean(g, square(g, s, again), axis);
  const deviation = g.op('Sqrt', [g.op('Add', s.either(variance, g.number(s.number(1e-3), x.type)))]);
  const normal = g.choices.chance(0.7)
    ? g.op('Div', [centred, deviation])
    : g.op('Mul', s.either(centred, g.op('Reciprocal', [deviation])));
  if (g.choices.chance(0.2)) return;
  const scaled = g.op('Mul', s.either(normal, g.floats(s.slip(() => [1]) ?? [width], x.type)));
  if (g.choices.chance(0.8)) g.op('Add', s.either(scaled, g.floats([width], x.type)));
};

const rmsNorm: Maker = (g, x) => {
  const width = widthOf(x);
  const s = spelling(g);
  const power = mean(g, square(g, s, x), -1);
  const root = g.op('Sqrt', [g.op('Add', s.either(power, g.number(s.number(1e-3), x.type)))]);
  const normal = g.choices.chance(0.5) ? g.op('Div', [x, root]) : g.op('Mul', s.either(x, g.op('Reciprocal', [root])));
  g.op('Mul', s.either(normal, g.floats([width], x.type)));
};

const groupNorm: Maker = (g, x) => {
  const [n, c, ...spatial] = x.dims;
  if (x.dims.length !== 4 || !isFixed(c) || !isFixed(n) || !spatial.every(isFixed) || !isReal(x) || c % 2)
    throw new Unfit();
  const s = spelling(g);
  const grouped = g.op('Reshape', [x, g.integers([0, 2, -1])]);
  const each = (value: number) => g.number(s.number(value), x.type, [2]);
  const shift = g.number(s.slip(() => 0.5) ?? 0, x.type, [2]);
  const normal = g.op('InstanceNormalization', [grouped, each(1), shift], {
    epsilon: float(g.choices.pick([1e-5, 0.1])),
  });
  const back = g.op('Reshape', [normal, g.op('Shape', [x])]);
  const scaled = g.op('Mul', s.either(back, g.floats([c, 1, 1], x.type)));
  g.op('Add', s.either(scaled, g.floats([c, 1, 1], x.type)));
};

export const NORMALIZATIONS: Makers = [
  [4, layerNorm],
  [2, rmsNorm],
  [3, groupNorm],
];
