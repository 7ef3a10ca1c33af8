import { differ, isSame } from '../graph/guards.js';
import { formatSize, modulo, type Size } from '../graph/sizes.js';
import { float, int } from '../schema/attributes.js';
import { by, defineOp, type Inference, type Primitive } from '../schema/definition.js';
import { requireDims, sameAsInput } from '../schema/shapes.js';
import { tensorOf } from '../tensor/numbers.js';
import { onChannelsFirst } from './channels-last.js';
import { activationOf, type EpilogueAttributes, epilogueAttributes, epilogueIn } from './epilogue.js';
import { normalizeGroups } from './normalize-groups.js';

export interface GroupParameters extends EpilogueAttributes {
  /** Number of groups of neighboring channels; each is normalized by itself. */
  readonly groups: number;
  readonly epsilon: number;
}

/** activate(scale · (X − mean) / √(variance + ε) + bias) of each group of channels in [N, spatial…, C]. */
export const groupNormalization: Primitive<GroupParameters> = {
  name: 'groupNormalization',
  facts: { layout: 'channels-last', epilogue: 'activation', inPlace: true },
  reference(c, { groups, epsilon, ...epilogue }) {
    const { element, dims } = c.result(0);
    const scaling = { scale: c.tensor(1), bias: c.tensor(2), groups, epsilon };
    const y = onChannelsFirst(c.tensor(0), (x) => normalizeGroups(x, scaling));
    return [tensorOf(element, dims, y.map(activationOf(epilogue)))];
  },
};

/** Type of output 0, like input 0; scale and bias must have `count` elements. */
export function scaledLike(c: Inference<unknown>, count: Size | undefined) {
  for (const i of [1, 2]) requireDims(c, i, [count]);
  return sameAsInput(c);
}

/** Type of output 0, like input 0; the groups must divide the channels, and scale and bias have one number per group or per channel. */
export function groupedLike(c: Inference<{ readonly num_groups: number }>, channels: Size | undefined) {
  const { num_groups: groups } = c.attributes;
  const divides = groups >= 1 && (channels === undefined || !differ(modulo(channels, groups), 0));
  if (!divides)
    c.fail(
      'INVALID_ATTRIBUTE',
      `num_groups=${groups} must be 1 or more, and divide the ${formatSize(channels)} channels`,
    );
  const count = c.dims(1)?.[0];
  return scaledLike(c, count !== undefined && isSame(count, groups) ? groups : channels);
}

export const groupAttributes = { epsilon: float(1e-5), num_groups: int.required };

const signature = 'X: T, scale: T, bias: T -> Y: T';

/** Instance normalization of [N, spatial…, C] with an activation: each channel is a group. */
export const instanceNormalizationOperator = defineOp({
  domain: 'sardonyx',
  name: 'InstanceNormalization',
  signature,
  types: { T: ['float32'] },
  attributes: { epsilon: float(1e-5), ...epilogueAttributes },
  guarded: true,
  infer: (c) => scaledLike(c, c.dims(0)?.at(-1)),
  computes: by(groupNormalization, (c: Inference<EpilogueAttributes & { readonly epsilon: number }>) => {
    const groups = c.dims(0)?.at(-1) as number | undefined;
    return groups === undefined ? undefined : { groups, epsilon: c.attributes.epsilon, ...epilogueIn(c.attributes) };
  }),
});

/** Group normalization of [N, spatial…, C] with an activation. */
export const groupNormalizationOperator = defineOp({
  domain: 'sardonyx',
  name: 'GroupNormalization',
  signature,
  types: { T: ['float32'] },
  attributes: { ...groupAttributes, ...epilogueAttributes },
  guarded: true,
  infer: (c) => groupedLike(c, c.dims(0)?.at(-1)),
  computes: by(
    groupNormalization,
    ({ attributes }: Inference<EpilogueAttributes & { readonly epsilon: number; readonly num_groups: number }>) => ({
      groups: attributes.num_groups,
      epsilon: attributes.epsilon,
      ...epilogueIn(attributes),
    }),
  ),
});
