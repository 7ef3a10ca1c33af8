import { Activation } from '../../../../build/kernels.js';
import { add, ceilDivide, multiply, type Size } from '../../../graph/sizes.js';
import {
  BIAS,
  type CausalConvolutionParameters,
  causalConvolution,
  INPUT,
  PAST_STATE,
  WEIGHT,
} from '../../../primitives/causal-convolution.js';
import { type Lowering, lowers } from '../lowering.js';
import { grainOf } from './grain.js';

function lowerCausal(c: Lowering, { activation }: CausalConvolutionParameters): 'host' | undefined {
  if (c.element(INPUT) !== 'float32') return 'host';
  const [batch, channels, length] = c.shape(INPUT) as readonly [Size, Size, Size];
  const taps = c.shape(WEIGHT)[2] as Size;
  const optional = (i: number) => (c.given(i) ? c.input(i) : 0);
  const result = (i: number) => (c.wanted(i) ? c.output(i) : 0);
  const rows = multiply(batch, channels);
  const grain = grainOf(rows, multiply(add(length, 1), taps));
  const params = {
    x: c.input(INPUT),
    w: c.input(WEIGHT),
    bias: optional(BIAS),
    past: optional(PAST_STATE),
    y: result(0),
    present: result(1),
    batch,
    channels,
    length,
    taps,
    activation: Activation[activation],
    grain,
  };
  const writes = [0, 1].filter((i) => c.wanted(i)).map((i) => c.output(i));
  const inPlace = c.given(PAST_STATE) && c.wanted(1) ? [[c.output(1), c.input(PAST_STATE)] as const] : [];
  c.launch('causalConvolution', params, ceilDivide(rows, grain), { writes, inPlace });
}

export const causalConvolutions = lowers(causalConvolution, lowerCausal);
