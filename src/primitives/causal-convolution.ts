import { account } from '../account.js';
import type { Primitive } from '../schema/definition.js';
import { numbersOf, tensorOf } from '../tensor/numbers.js';
import { elementCount } from '../tensor/tensor-value.js';

export const [INPUT, WEIGHT, BIAS, PAST_STATE] = [0, 1, 2, 3];

export interface CausalConvolutionParameters {
  readonly activation: 'None' | 'Silu';
}

/**
 * A causal depthwise convolution of [batch, channels, length] with [channels, 1, taps]. The steps before the first are given, or zero; the
 * last taps − 1 steps are returned for the next call.
 */
export const causalConvolution: Primitive<CausalConvolutionParameters> = {
  name: 'causalConvolution',
  facts: {
    multiplyAdds: (c) => elementCount(c.dims(INPUT) as readonly number[]) * (c.dims(WEIGHT)?.[2] as number),
  },
  reference(c, { activation }) {
    const { type, dims } = c.tensor(INPUT);
    const [batch, channels, length] = dims as [number, number, number];
    const taps = c.tensor(WEIGHT).dims[2] as number;
    const kept = taps - 1;
    const [x, w] = [numbersOf(c.tensor(INPUT)), numbersOf(c.tensor(WEIGHT))];
    const optional = (i: number) => (c.given(i) ? numbersOf(c.tensor(i)) : undefined);
    const [bias, past] = [optional(BIAS), optional(PAST_STATE)];
    const y = new Float64Array(x.length);
    const present = new Float64Array(batch * channels * kept);
    for (let row = 0; row < batch * channels; row++) {
      const channel = row % channels;
      const padded = (t: number) => (t < kept ? (past?.[row * kept + t] ?? 0) : (x[row * length + t - kept] as number));
      for (let t = 0; t < length; t++) {
        account()?.spend(4 * kept);
        let sum = bias?.[channel] ?? 0;
        for (let j = 0; j <= kept; j++) sum += (w[channel * taps + j] as number) * padded(t + j);
        y[row * length + t] = activation === 'Silu' ? sum / (1 + Math.exp(-sum)) : sum;
      }
      for (let j = 0; j < kept; j++) present[row * kept + j] = padded(length + j);
    }
    return [tensorOf(type, dims, y), tensorOf(type, [batch, channels, kept], present)];
  },
};
