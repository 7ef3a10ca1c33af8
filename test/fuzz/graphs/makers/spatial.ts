import { float, ints } from '../../../../src/builder/index.js';
import { type Draft, type KnownTensor, Unfit } from '../draft.js';
import { givenOr, isFixed, isReal, type Maker, type Makers, mustBeCheap } from './maker.js';
import { partnerOf } from './partner.js';

/** Channels of a batch of maps, [N, C, spatial…]. */
function channelsOf(x: KnownTensor): number {
  const c = x.dims[1];
  if (x.dims.length < 3 || x.dims.length > 5 || !isFixed(c) || c === 0 || !isReal(x)) throw new Unfit();
  return c;
}

const spatialRank = (x: KnownTensor) => x.dims.length - 2;
const each = <T>(n: number, draw: () => T): T[] => Array.from({ length: n }, draw);
const divisors = (n: number) => [1, 2, 3, 4, n].filter((d) => n % d === 0);

/** Kernel, strides, dilations and pads, the same ones left out now and then. `strided`, `dilated`: how often there are such. */
function windowOf(g: Draft, n: number, strided: number, dilated: number) {
  const { below, chance, pick } = g.choices;
  const kernel = chance(0.4) ? each(n, () => 3) : each(n, () => 1 + below(4));
  const pads = chance(0.4) ? kernel.map((k) => k >> 1) : kernel.map((k) => below(k));
  const ends = chance(0.5) ? pads : kernel.map((k) => below(k));
  return {
    kernel,
    attributes: {
      ...(chance(strided) && { strides: ints(each(n, () => 1 + below(3))) }),
      ...(chance(0.7)
        ? { pads: ints([...pads, ...ends]) }
        : { auto_pad: pick(['NOTSET', 'VALID', 'SAME_UPPER', 'SAME_LOWER']) }),
    },
    dilations: chance(dilated) ? { dilations: ints(each(n, () => 1 + below(2))) } : {},
  };
}

/** Output channels of a convolution that is not grouped: parts of a panel, whole ones, and enough for Winograd's algorithm. */
const WIDTHS = [1, 2, 3, 4, 8, 11, 16, 16, 20, 40];

/** A number for each channel. */
const perChannel = (g: Draft, y: KnownTensor) => {
  const c = y.dims[1];
  return isFixed(c) ? g.floats([c, ...y.dims.slice(2).map(() => 1)], y.type) : partnerOf(g, y);
};

const AFTER: readonly ((g: Draft, y: KnownTensor) => KnownTensor)[] = [
  batchNormalized,
  activated,
  activated,
  (g, y) => added(g, y, partnerOf(g, y)),
  (g, y) => added(g, y, partnerOf(g, y)),
  (g, y) => added(g, y, perChannel(g, y)),
  (g, y) => g.op('Mul', [y, perChannel(g, y)]),
];

const added = (g: Draft, a: KnownTensor, b: KnownTensor) => g.op('Add', g.choices.chance(0.5) ? [a, b] : [b, a]);

function activated(g: Draft, y: KnownTensor): KnownTensor {
  const op = g.choices.pick(['Relu', 'Relu', 'Sigmoid', 'HardSwish', 'Tanh', 'Clip']);
  return g.op(op, op === 'Clip' ? [y, g.number(0, y.type), g.number(6, y.type)] : [y]);
}

/** What often follows a convolution. */
function then(g: Draft, y: KnownTensor): void {
  let z = y;
  for (let n = g.choices.below(4); n > 0; n--) z = g.choices.pick(AFTER)(g, z);
}

const conv: Maker = (g, x) => {
  const c = channelsOf(x);
  const { chance, pick } = g.choices;
  const group = pick(divisors(c));
  const m = group * pick(group === 1 ? WIDTHS : [1, 1, 2, 3]);
  const { kernel, attributes, dilations } = windowOf(g, spatialRank(x), 0.4, 0.25);
  const bias = chance(0.5) ? g.floats([m], x.type) : null;
  const weights = mustBeCheap(x, g.floats([m, c / group, ...kernel], x.type));
  const shape = chance(0.5) ? { kernel_shape: ints(kernel) } : {};
  then(g, g.op('Conv', [x, weights, bias], { ...attributes, ...dilations, ...shape, ...(group > 1 && { group }) }));
};

const convTranspose: Maker = (g, x) => {
  const c = channelsOf(x);
  const { below, chance, pick } = g.choices;
  const n = spatialRank(x);
  const group = pick(divisors(c));
  const m = pick([1, 2, 3]);
  const kernel = each(n, () => 1 + below(4));
  const strides = each(n, () => 1 + below(3));
  const bias = chance(0.5) ? g.floats([m * group], x.type) : null;
  then(
    g,
    g.op('ConvTranspose', [x, g.floats([c, m, ...kernel], x.type), bias], {
      strides: ints(strides),
      ...(group > 1 && { group }),
      ...(chance(0.4) && { pads: ints(each(2 * n, () => below(2))) }),
      ...(chance(0.3) && { output_padding: ints(strides.map((s) => below(s))) }),
      ...(chance(0.2) && { dilations: ints(each(n, () => 1 + below(2))) }),
    }),
  );
};

const pool: Maker = (g, next) => {
  const x = givenOr(g, next);
  channelsOf(x);
  const { chance, pick } = g.choices;
  const { kernel, attributes, dilations } = windowOf(g, spatialRank(x), 0.75, 0.5);
  const op = pick(['MaxPool', 'MaxPool', 'MaxPool', 'AveragePool', 'AveragePool', 'LpPool']);
  const ceil = chance(0.45) && (op !== 'LpPool' || g.opset >= 18) ? { ceil_mode: 1 } : {};
  const dilated = op === 'MaxPool' || g.opset >= 19 ? dilations : {};
  const own =
    op === 'AveragePool' && chance(0.6) ? { count_include_pad: 1 } : op === 'LpPool' ? { p: pick([1, 2]) } : {};
  g.op(op, [x], { kernel_shape: ints(kernel), ...attributes, ...dilated, ...ceil, ...own });
};

const globalPool: Maker = (g, x) => {
  channelsOf(x);
  g.op(g.choices.pick(['GlobalAveragePool', 'GlobalMaxPool', 'GlobalLpPool']), [x]);
};

const positive = (g: Draft, n: number, type: KnownTensor['type']) =>
  g.constant(
    type,
    [n],
    each(n, () => 0.25 + Math.round(g.choices.next() * 1000) / 1000),
    false,
  );

function batchNormalized(g: Draft, x: KnownTensor): KnownTensor {
  const c = x.dims[1];
  if (!isFixed(c) || !isReal(x)) throw new Unfit();
  const each = () => g.floats([c], x.type);
  return g.op('BatchNormalization', [x, each(), each(), each(), positive(g, c, x.type)], {
    epsilon: float(g.choices.pick([1e-5, 0.1])),
  });
}

const batchNormalization: Maker = (g, x) => void then(g, batchNormalized(g, x));

const instanceNormalization: Maker = (g, x) => {
  const c = channelsOf(x);
  g.op('InstanceNormalization', [x, g.floats([c], x.type), g.floats([c], x.type)], { epsilon: float(0.01) });
};

const groupNormalization: Maker = (g, x) => {
  const c = channelsOf(x);
  const groups = g.choices.pick(divisors(c));
  const n = g.opset >= 21 ? c : groups;
  g.op('GroupNormalization', [x, g.floats([n], x.type), g.floats([n], x.type)], {
    num_groups: groups,
    epsilon: float(0.01),
  });
};

const lrn: Maker = (g, x) => {
  channelsOf(x);
  g.op('LRN', [x], { size: g.choices.pick([1, 3, 5]), alpha: float(0.1), beta: float(0.75), bias: float(1) });
};

const resize: Maker = (g, x) => {
  channelsOf(x);
  // Where samples lie is rounded to float64 on either side.
  if (x.type === 'float64') throw new Unfit();
  const { chance, pick } = g.choices;
  const mode = pick(['nearest', 'linear', 'cubic']);
  const coordinate = pick(['half_pixel', 'asymmetric', 'align_corners', 'pytorch_half_pixel']);
  const rounding =
    mode === 'nearest' ? { nearest_mode: pick(['round_prefer_floor', 'floor', 'ceil', 'round_prefer_ceil']) } : {};
  const spatial = x.dims.slice(2);
  const attributes = { mode, coordinate_transformation_mode: coordinate, ...rounding };
  if (chance(0.6) || !x.dims.every(isFixed)) {
    const scales = [1, 1, ...spatial.map(() => pick([1, 2, 2, 0.5, 1.5]))];
    return void g.op('Resize', [x, null, g.constant('float32', [scales.length], scales, false)], attributes);
  }
  const sizes = [...x.dims.slice(0, 2), ...spatial.map((d) => pick([d, 2 * d, d + 1, 3]))];
  g.op('Resize', [x, null, null, g.integers(sizes)], attributes);
};

const blocks: Maker = (g, x) => {
  if (x.dims.length !== 4) throw new Unfit();
  const blocksize = g.choices.pick([1, 2, 2, 3]);
  if (g.choices.chance(0.5)) g.op('SpaceToDepth', [x], { blocksize });
  else g.op('DepthToSpace', [x], { blocksize, mode: g.choices.pick(['DCR', 'CRD']) });
};

export const SPATIAL: Makers = [
  [8, conv],
  [3, convTranspose],
  [8, pool],
  [2, globalPool],
  [3, batchNormalization],
  [1, instanceNormalization],
  [1, groupNormalization],
  [1, lrn],
  [2, resize],
  [1, blocks],
];
