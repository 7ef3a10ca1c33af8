import { account } from '../../../account.js';
import { isKnown } from '../../../graph/dims.js';
import type { Dim } from '../../../graph/types.js';
import type { ActivationName } from '../../../primitives/epilogue.js';
import { entryOf, string } from '../../../schema/attributes.js';
import { defineOp, type Inference } from '../../../schema/definition.js';
import { dimsOfRank, like, requireDims } from '../../../schema/shapes.js';
import { numbersOf, tensorOf } from '../../../tensor/numbers.js';
import { throughFloat32 } from '../../through-float32.js';

export interface CausalConvAttributes {
  readonly activation: string;
}

export const [INPUT, WEIGHT, BIAS, PAST_STATE] = [0, 1, 2, 3];

const ACTIVATIONS: Readonly<Record<string, ActivationName>> = { none: 'None', silu: 'Silu', swish: 'Silu' };

export function activationOf(c: Inference<CausalConvAttributes>): ActivationName {
  const { activation } = c.attributes;
  const known = entryOf(ACTIVATIONS, activation);
  if (known !== undefined) return known;
  return c.fail('INVALID_ATTRIBUTE', `activation "${activation}" is none of ${Object.keys(ACTIVATIONS).join(', ')}`);
}

/** [batch, channels, length] and the dims of the state; undefined while a rank is unknown. */
function shapesOf(c: Inference<CausalConvAttributes>) {
  const x = dimsOfRank(c, INPUT, 3);
  const taps = dimsOfRank(c, WEIGHT, 3)?.[2];
  if (typeof taps === 'number' && taps < 1) c.fail('INVALID_SHAPE', 'a kernel needs at least one tap');
  const kept = typeof taps === 'number' ? taps - 1 : undefined;
  requireDims(c, WEIGHT, [x?.[1], 1, taps]);
  requireDims(c, BIAS, [x?.[1]]);
  requireDims(c, PAST_STATE, [x?.[0], x?.[1], kept]);
  return x && { x, state: [...x.slice(0, 2), kept ?? c.unknown()] as Dim[] };
}

/**
 * A depthwise convolution along the last axis that sees the past only, `past_state` being what came before:
 * https://onnx.ai/onnx/operators/onnx__CausalConvWithState.html
 */
export const causalConvWithState = defineOp({
  name: 'CausalConvWithState',
  since: 27,
  signature: 'input: T, weight: T, bias?: T, past_state?: T -> output: T, present_state: T',
  types: { T: ['float32', 'float16', 'bfloat16'] },
  attributes: { activation: string('none') },
  infer(c) {
    activationOf(c);
    const shapes = shapesOf(c);
    return [like(c, INPUT, shapes?.x), like(c, INPUT, shapes?.state)];
  },
  decompose: (c) => throughFloat32(c, [c.element(INPUT), c.element(INPUT)]),
  evaluate(c) {
    const { x: dims, state } = shapesOf(c) as { x: number[]; state: number[] };
    if (!isKnown(state)) return c.fail('INVALID_SHAPE', 'the kernel has no known size');
    const [batch, channels, length] = dims as [number, number, number];
    const kept = state[2] as number;
    const [x, w] = [numbersOf(c.tensor(INPUT)), numbersOf(c.tensor(WEIGHT))];
    const optional = (i: number) => (c.given(i) ? numbersOf(c.tensor(i)) : undefined);
    const [bias, past] = [optional(BIAS), optional(PAST_STATE)];
    const isSmooth = activationOf(c) === 'Silu';
    const y = new Float64Array(x.length);
    const present = new Float64Array(batch * channels * kept);
    for (let row = 0; row < batch * channels; row++) {
      const channel = row % channels;
      const padded = (t: number) => (t < kept ? (past?.[row * kept + t] ?? 0) : (x[row * length + t - kept] as number));
      for (let t = 0; t < length; t++) {
        account()?.spend(4 * kept);
        let sum = bias?.[channel] ?? 0;
        for (let j = 0; j <= kept; j++) sum += (w[channel * (kept + 1) + j] as number) * padded(t + j);
        y[row * length + t] = isSmooth ? sum / (1 + Math.exp(-sum)) : sum;
      }
      for (let j = 0; j < kept; j++) present[row * kept + j] = padded(length + j);
    }
    const { type } = c.tensor(INPUT);
    return [tensorOf(type, dims, y), tensorOf(type, state, present)];
  },
});
