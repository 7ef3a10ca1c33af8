import type { Place } from '../../../bindings/parameters.js';
import { GroupNorm } from '../../../build/kernels.js';
import { epilogueOf } from '../../backends/wasm/lower/epilogue.js';
import { copyStrided } from '../../backends/wasm/lower/strided-copy.js';
import type { Lowering } from '../../backends/wasm/lowering.js';
import type { Dim } from '../../graph/types.js';
import { numbersOf } from '../../tensor/numbers.js';
import { elementCount } from '../../tensor/tensor-value.js';
import { float, int, ints } from '../attributes.js';
import { throughChannelsLast } from '../channels-last.js';
import { type Decomposition, defineOp, type Inference } from '../definition.js';
import { FLOATS } from '../element-sets.js';
import { type EpilogueAttributes, epilogueAttributes } from '../epilogue.js';
import { requireDims, sameAsInput } from '../shapes.js';
import { throughFloat32 } from '../through-float32.js';
import { normalizeGroups } from './normalize-groups.js';

type GroupAttributes = EpilogueAttributes & { readonly epsilon: number };

/** Scale or bias [channels]; one number per group is repeated for the channels of the group. */
function perChannel(c: Lowering<unknown>, i: number, channels: number): Place {
  const groups = elementCount(c.shape(i));
  if (groups === channels) return c.input(i);
  if (groups === 0 || channels % groups !== 0)
    c.fail('INVALID_SHAPE', `input ${i} has ${groups} numbers for ${channels} channels`);
  const spread = c.temporary(4 * channels);
  const dims = [groups, channels / groups];
  copyStrided(
    c,
    'float32',
    dims,
    { place: c.input(i), strides: [1, 0] },
    { place: spread, strides: [channels / groups, 1] },
  );
  return spread;
}

/** Normalizes each of `groups` groups of channels of x [N, spatial…, C]. */
function lowerGroups(c: Lowering<GroupAttributes>, groups: number): undefined {
  const dims = c.shape(0);
  const channels = dims.at(-1) as number;
  const batch = dims[0] as number;
  const pixels = elementCount(dims.slice(1, -1));
  if (elementCount(dims) === 0) return;
  const blocks = batch * Math.ceil(pixels / GroupNorm.BlockPixels);
  const moments = c.temporary(12 * blocks * channels);
  const coefficients = c.temporary(12 * batch * channels);
  const x = c.input(0);
  const y = c.output(0);
  const size = { batch, pixels, channels };
  const [scale, bias] = [perChannel(c, 1, channels), perChannel(c, 2, channels)];
  const { epsilon } = c.attributes;
  const { activation, alpha, beta } = epilogueOf(c, -1, -1);
  const strides = { xPixelStride: channels, yPixelStride: channels };
  c.launch('groupMoments', { x, moments, ...size, xPixelStride: channels }, blocks, { writes: [moments] });
  c.launch('groupCoefficients', { moments, scale, bias, coefficients, ...size, groups, epsilon }, batch * groups, {
    writes: [coefficients],
  });
  c.launch('groupNorm', { x, coefficients, y, ...size, ...strides, activation, alpha, beta }, blocks, {
    writes: [y],
    inPlace: [[y, x]],
  });
}

const isAll = (c: Inference<unknown>, i: number, value: number) => {
  const contents = c.contents(i);
  return contents !== undefined && Array.from(numbersOf(contents)).every((x) => x === value);
};

/** Output 0 is like input 0, where scale and bias hold so many numbers. */
function scaledLike(c: Inference<unknown>, count: Dim | undefined) {
  for (const i of [1, 2]) requireDims(c, i, [count]);
  return sameAsInput(c);
}

/** Output 0 is like input 0, whose channels are so many groups; scale and bias hold a number for each group or channel. */
function groupedLike(c: Inference<{ readonly num_groups: number }>, channels: Dim | undefined) {
  const { num_groups: groups } = c.attributes;
  const divides = groups >= 1 && (typeof channels !== 'number' || channels % groups === 0);
  if (!divides)
    c.fail('INVALID_ATTRIBUTE', `num_groups=${groups} must be 1 or more, and divide the ${channels} channels`);
  return scaledLike(c, c.dims(1)?.[0] === groups ? groups : channels);
}

/**
 * [N, G, L] with scale 1 and bias 0, which is how PyTorch exports a group normalization, is normalized where it lies;
 * anything else goes through channels-last.
 */
function decomposeInstance(c: Decomposition<{ readonly epsilon: number }>) {
  const rank = c.dims(0)?.length;
  if (rank === undefined) return undefined;
  if (c.element(0) !== 'float32') return throughFloat32(c);
  const epsilon = { epsilon: { type: 'float', value: c.attributes.epsilon } } as const;
  if (rank === 3 && isAll(c, 1, 1) && isAll(c, 2, 0)) {
    return c.emit('sardonyx:LayerNormalization', [c.input(0)], { ...epsilon, axis: { type: 'int', value: 2 } });
  }
  return throughChannelsLast(c, rank, [c.input(1), c.input(2)], epsilon);
}

/** https://onnx.ai/onnx/operators/onnx__InstanceNormalization.html */
export const instanceNormalization = defineOp({
  name: 'InstanceNormalization',
  signature: 'input: T, scale: T, B: T -> output: T',
  types: { T: FLOATS },
  attributes: { epsilon: float(1e-5), consumed_inputs: ints() },
  infer: (c) => scaledLike(c, c.dims(0)?.[1]),
  decompose: decomposeInstance,
  evaluate: (c) => [normalizeGroups(c, c.tensor(0).dims[1] as number)],
});

/** Instance normalization of [N, spatial…, C] with an activation. */
export const fusedInstanceNormalization = defineOp({
  domain: 'sardonyx',
  name: 'InstanceNormalization',
  signature: 'X: T, scale: T, bias: T -> Y: T',
  types: { T: ['float32'] },
  attributes: { epsilon: float(1e-5), ...epilogueAttributes },
  infer: (c) => scaledLike(c, c.dims(0)?.at(-1)),
  lower: (c) => lowerGroups(c, c.shape(0).at(-1) as number),
});

const groupAttributes = { epsilon: float(1e-5), num_groups: int.required };

/** From opset 21 scale and bias have one number per channel, before one per group; the lengths tell. */
export const groupNormalization = defineOp({
  name: 'GroupNormalization',
  since: 18,
  signature: 'X: T, scale: T, bias: T -> Y: T',
  types: { T: FLOATS },
  attributes: { ...groupAttributes, stash_type: int(1) },
  infer: (c) => groupedLike(c, c.dims(0)?.[1]),
  decompose(c) {
    const rank = c.dims(0)?.length;
    if (rank === undefined) return undefined;
    if (c.element(0) !== 'float32') return throughFloat32(c);
    return throughChannelsLast(c, rank, [c.input(1), c.input(2)], {
      epsilon: { type: 'float', value: c.attributes.epsilon },
      num_groups: { type: 'int', value: c.attributes.num_groups },
    });
  },
  evaluate: (c) => [normalizeGroups(c, c.attributes.num_groups)],
});

/** Group normalization of [N, spatial…, C] with an activation. */
export const fusedGroupNormalization = defineOp({
  domain: 'sardonyx',
  name: 'GroupNormalization',
  signature: 'X: T, scale: T, bias: T -> Y: T',
  types: { T: ['float32'] },
  attributes: { ...groupAttributes, ...epilogueAttributes },
  infer: (c) => groupedLike(c, c.dims(0)?.at(-1)),
  lower: (c) => lowerGroups(c, c.attributes.num_groups),
});
