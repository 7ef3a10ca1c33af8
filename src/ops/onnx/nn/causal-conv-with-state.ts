import { isAtMost } from '../../../graph/guards.js';
import { type Size, subtract } from '../../../graph/sizes.js';
import {
  BIAS,
  type CausalConvolutionParameters,
  causalConvolution,
  INPUT,
  PAST_STATE,
  WEIGHT,
} from '../../../primitives/causal-convolution.js';
import { entryOf, string } from '../../../schema/attributes.js';
import { by, defineOp, type Inference } from '../../../schema/definition.js';
import { dimsOfRank, like, requireDims } from '../../../schema/shapes.js';
import { throughFloat32 } from '../../through-float32.js';

interface CausalConvAttributes {
  readonly activation: string;
}

type Activation = CausalConvolutionParameters['activation'];

const ACTIVATIONS: Readonly<Record<string, Activation>> = { none: 'None', silu: 'Silu', swish: 'Silu' };

function activationOf(c: Inference<CausalConvAttributes>): Activation {
  const { activation } = c.attributes;
  const known = entryOf(ACTIVATIONS, activation);
  if (known !== undefined) return known;
  return c.fail('INVALID_ATTRIBUTE', `activation "${activation}" is not one of ${Object.keys(ACTIVATIONS).join(', ')}`);
}

/** The shapes of the input, [batch, channels, length], and of the state; undefined if a rank is unknown. */
function shapesOf(c: Inference<CausalConvAttributes>) {
  const x = dimsOfRank(c, INPUT, 3);
  const taps = dimsOfRank(c, WEIGHT, 3)?.[2];
  if (taps !== undefined && isAtMost(taps, 0)) c.fail('INVALID_SHAPE', 'the kernel size must be at least 1');
  const kept = taps === undefined ? undefined : subtract(taps, 1);
  requireDims(c, WEIGHT, [x?.[1], 1, taps]);
  requireDims(c, BIAS, [x?.[1]]);
  requireDims(c, PAST_STATE, [x?.[0], x?.[1], kept]);
  return x && { x, state: [...x.slice(0, 2), kept ?? c.unknown()] as Size[] };
}

/**
 * A causal depthwise convolution along the last axis; `past_state` holds the preceding elements:
 * https://onnx.ai/onnx/operators/onnx__CausalConvWithState.html
 */
export const causalConvWithState = defineOp({
  name: 'CausalConvWithState',
  since: 27,
  signature: 'input: T, weight: T, bias?: T, past_state?: T -> output: T, present_state: T',
  types: { T: ['float32', 'float16', 'bfloat16'] },
  attributes: { activation: string('none') },
  guarded: true,
  infer(c) {
    activationOf(c);
    const shapes = shapesOf(c);
    return [like(c, INPUT, shapes?.x), like(c, INPUT, shapes?.state)];
  },
  decompose: (c) => throughFloat32(c, [c.element(INPUT), c.element(INPUT)]),
  computes: by(causalConvolution, (c: Inference<CausalConvAttributes>) => ({ activation: activationOf(c) })),
});
