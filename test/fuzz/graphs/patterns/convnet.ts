import { float, ints } from '../../../../src/builder/index.js';
import { type Draft, type KnownTensor, Unfit } from '../draft.js';
import { isFixed, isReal, type Maker, type Makers, mustBeCheap } from '../makers/maker.js';

/** Channels of hidden layers: some of which kernels take other ways from 16 on. */
const WIDTHS = [4, 8, 16, 16, 20];

const channelsOf = (x: KnownTensor) => {
  const c = x.dims[1];
  if (x.dims.length !== 4 || !isReal(x) || !isFixed(c) || c === 0) throw new Unfit();
  return c;
};

/** A convolution that keeps the map's size, with what training leaves behind it. */
function layer(g: Draft, x: KnownTensor, width: number, kernel: 1 | 3 | 5, group = 1): KnownTensor {
  const { chance } = g.choices;
  const pads = new Array(4).fill(kernel >> 1);
  const weights = mustBeCheap(x, g.floats([width, channelsOf(x) / group, kernel, kernel], x.type));
  const bias = chance(0.5) ? g.floats([width], x.type) : null;
  const made = g.op('Conv', [x, weights, bias], { pads: ints(pads), ...(group > 1 && { group }) });
  return chance(0.3) ? normalized(g, made, width) : made;
}

function normalized(g: Draft, x: KnownTensor, width: number): KnownTensor {
  const each = () => g.floats([width], x.type);
  const variance = g.number(g.choices.pick([0.5, 1, 2]), x.type, [width]);
  return g.op('BatchNormalization', [x, each(), each(), each(), variance], { epsilon: float(1e-3) });
}

const active = (g: Draft, x: KnownTensor, ops = ['Relu', 'Relu', 'HardSwish', 'Sigmoid']) => {
  const op = g.choices.pick(ops.filter((name) => g.admits(name, 0, x.type)));
  return g.op(op, [x]);
};

/** Two convolutions and what goes past them. */
const residualBlock: Maker = (g, x) => {
  const { chance, pick } = g.choices;
  const width = pick(WIDTHS);
  const start = active(g, layer(g, x, width, pick([1, 3])));
  const inner = layer(g, active(g, layer(g, start, width, 3)), width, 3);
  const end = chance(0.3) ? active(g, inner) : inner;
  const sum = g.op('Add', chance(0.5) ? [start, end] : [end, start]);
  if (chance(0.8)) active(g, sum);
};

/** Each channel on its own between two mixtures of channels, weighed by what they hold in the mean. */
const separableBlock: Maker = (g, x) => {
  const { chance, pick } = g.choices;
  const [width, out] = [pick(WIDTHS), pick(WIDTHS)];
  const wide = active(g, layer(g, x, width, 1));
  const deep = active(g, layer(g, wide, width, pick([3, 5]), width));
  const weighed = chance(0.4) ? excited(g, deep, width) : deep;
  layer(g, weighed, out, 1);
};

function excited(g: Draft, x: KnownTensor, width: number): KnownTensor {
  const squeezed = active(g, layer(g, g.op('GlobalAveragePool', [x]), 3, 1), ['Relu']);
  const gate = active(g, layer(g, squeezed, width, 1), ['Sigmoid', 'HardSigmoid']);
  return g.op('Mul', g.choices.chance(0.5) ? [x, gate] : [gate, x]);
}

export const CONVNET: Makers = [
  [1, residualBlock],
  [1, separableBlock],
];
