import type { ElementType } from '../../../../src/tensor/element-types.js';
import { elementCount } from '../../../../src/tensor/tensor-value.js';
import type { Choices } from '../choices.js';
import { type Draft, type KnownTensor, Unfit } from '../draft.js';
import { isFixed, type Maker, type Makers } from './maker.js';

/** Of products of these none is near a half, where float32 and float64 would round in their own ways. */
const STEPS = [0.0113, 0.0197, 0.0531, 0.1259, 1];

/** Of what is always 0, and of channels that are dead. */
const NO_STEPS = [0, 1e-9, 1e-12, 1e-40];

const stepFor = ({ chance, pick }: Choices) => (chance(0.03) ? pick(NO_STEPS) : pick(STEPS));

const scaleOf = (g: Draft, dims: readonly number[]) => {
  const data = Array.from({ length: elementCount(dims) }, () => stepFor(g.choices));
  return g.constant('float32', dims, data, false);
};

const quantize = (g: Draft, x: KnownTensor, type: ElementType, axis?: number) => {
  const dims = axis === undefined ? [] : [x.dims[axis] as number];
  const zeros = g.constant(type, dims, g.draw(type, elementCount(dims)), false);
  const scale = scaleOf(g, dims);
  const attributes = axis === undefined ? {} : { axis };
  const codes = g.op('QuantizeLinear', [x, scale, zeros], attributes);
  return { codes, scale, zeros, attributes };
};

/** To 8 bits and back, whole or by channel, as models trained for it have between all operators. */
const thereAndBack: Maker = (g, x) => {
  if (x.type !== 'float32') throw new Unfit();
  const { below, chance, pick } = g.choices;
  const axis = below(x.dims.length + 1) - 1;
  const byAxis = axis >= 0 && chance(0.4) && isFixed(x.dims[axis]) ? axis : undefined;
  const { codes, scale, zeros, attributes } = quantize(g, x, pick(['uint8', 'int8']), byAxis);
  g.op('DequantizeLinear', [codes, scale, zeros], attributes);
};

/** Weights in whole numbers, made floats before a product. */
const dequantizedWeights: Maker = (g, x) => {
  const k = x.dims.at(-1);
  if (x.type !== 'float32' || !isFixed(k)) throw new Unfit();
  const n = g.choices.pick([1, 3, 8, 9]);
  const weights = g.constant('int8', [k, n], g.draw('int8', k * n), false);
  const byAxis = g.choices.chance(0.5);
  const scale = scaleOf(g, byAxis ? [n] : []);
  g.op('MatMul', [x, g.op('DequantizeLinear', [weights, scale], byAxis ? { axis: 1 } : {})]);
};

const integerProduct: Maker = (g, x) => {
  const k = x.dims.at(-1);
  if (x.type !== 'float32' || !isFixed(k)) throw new Unfit();
  const [codes, scale, zero] = g.node('DynamicQuantizeLinear', [x], {}, { outputs: 3 }) as KnownTensor[];
  const type = g.choices.pick(['int8', 'uint8'] as const);
  const n = g.choices.pick([1, 5, 8]);
  const weights = g.constant(type, [k, n], g.draw(type, k * n), false);
  const sums = g.op('MatMulInteger', [codes as KnownTensor, weights, zero as KnownTensor]);
  g.op('Mul', [g.op('Cast', [sums], { to: 1 }), scale as KnownTensor]);
};

const linearProduct: Maker = (g, x) => {
  const k = x.dims.at(-1);
  if (x.type !== 'float32' || !isFixed(k)) throw new Unfit();
  const { codes, scale, zeros } = quantize(g, x, 'uint8');
  const n = g.choices.pick([2, 6]);
  const weights = g.constant('uint8', [k, n], g.draw('uint8', k * n), false);
  const zero = g.constant('uint8', [], [2], false);
  g.op('QLinearMatMul', [codes, scale, zeros, weights, scaleOf(g, []), zero, scaleOf(g, []), zero]);
};

const convolution: Maker = (g, x) => {
  const c = x.dims[1];
  if (x.type !== 'float32' || x.dims.length !== 4 || !isFixed(c)) throw new Unfit();
  const { codes, scale, zeros } = quantize(g, x, 'uint8');
  const weights = g.constant('int8', [3, c, 3, 3], g.draw('int8', 27 * c), false);
  const zero = g.constant('int8', [], [0], false);
  const pads = { pads: [1, 1, 1, 1] };
  if (g.choices.chance(0.4)) return void g.op('ConvInteger', [codes, weights, zeros, zero], pads);
  const out = g.constant('uint8', [], [100], false);
  g.op('QLinearConv', [codes, scale, zeros, weights, scaleOf(g, []), zero, scaleOf(g, []), out], pads);
};

/** Integers, weights and a bias made floats, a convolution, and integers again. The biases of live channels are whole numbers of steps. */
const dequantizedConvolution: Maker = (g, x) => {
  const c = x.dims[1];
  if (x.type !== 'float32' || x.dims.length !== 4 || !isFixed(c)) throw new Unfit();
  const { below, chance, pick } = g.choices;
  const vector = (type: ElementType, data: readonly number[]) => g.constant(type, [data.length], data, false);
  const one = (type: ElementType, value: number) => g.constant(type, [], [value], false);
  const step = pick(STEPS);
  const n = pick([1, 3, 8]);
  const steps = Array.from({ length: n }, () => (chance(0.2) ? pick(NO_STEPS) : pick(STEPS)));
  const type = pick(['uint8', 'int8'] as const);
  const own = [one('float32', step), one(type, pick([0, 100]))];
  const taps = pick([1, 3]);
  const codes = g.op('QuantizeLinear', [x, ...own]);
  const weights = g.constant('int8', [n, c, taps, taps], g.draw('int8', n * c * taps * taps), false);
  const biases = vector(
    'int32',
    steps.map(() => below(400) - 200),
  );
  const ofBias = vector(
    'float32',
    steps.map((own) => (NO_STEPS.includes(own) ? 0.01 : 4 * Math.fround(step) * Math.fround(own))),
  );
  const y = g.op(
    'Conv',
    [
      g.op('DequantizeLinear', [codes, ...own]),
      g.op('DequantizeLinear', [weights, vector('float32', steps)], { axis: 0 }),
      g.op('DequantizeLinear', [biases, ofBias], { axis: 0 }),
    ],
    { pads: taps === 3 ? [1, 1, 1, 1] : [0, 0, 0, 0] },
  );
  const out = [one('float32', pick(STEPS)), one('uint8', 128)];
  g.op('DequantizeLinear', [g.op('QuantizeLinear', [y, ...out]), ...out]);
};

export const QUANTISED: Makers = [
  [2, thereAndBack],
  [1.5, dequantizedWeights],
  [1, integerProduct],
  [0.7, linearProduct],
  [0.7, convolution],
  [1, dequantizedConvolution],
];
