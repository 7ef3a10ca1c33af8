import type { Place } from '../../../../bindings/place.js';
import { GroupNorm } from '../../../../build/kernels.js';
import { isSame } from '../../../graph/guards.js';
import { ceilDivide, floorDivide, modulo, multiply, product, type Size } from '../../../graph/sizes.js';
import { type GroupParameters, groupNormalization } from '../../../primitives/group-normalization.js';
import { type Lowering, lowers } from '../lowering.js';
import { epilogueOf } from './epilogue.js';
import { copyStrided } from './strided-copy.js';

/** Scale or bias [channels]; values per group are repeated for the channels of the group. */
function perChannel(c: Lowering, i: number, channels: Size): Place {
  const groups = product(c.shape(i));
  if (isSame(groups, channels)) return c.input(i);
  if (isSame(groups, 0) || !isSame(modulo(channels, groups), 0))
    c.fail('INVALID_SHAPE', `input ${i} has ${String(groups)} numbers for ${String(channels)} channels`);
  const spread = c.temporary(multiply(channels, 4));
  const each = floorDivide(channels, groups);
  const dims = [groups, each];
  copyStrided(c, 'float32', dims, { place: c.input(i), strides: [1, 0] }, { place: spread, strides: [each, 1] });
  return spread;
}

function lowerGroups(c: Lowering, { groups, epsilon, ...epilogue }: GroupParameters): undefined {
  const dims = c.shape(0);
  const channels = dims.at(-1) as Size;
  const batch = dims[0] as Size;
  const pixels = product(dims.slice(1, -1));
  if (isSame(product(dims), 0)) return;
  const blocks = multiply(batch, ceilDivide(pixels, GroupNorm.BlockPixels));
  const moments = c.temporary(product([12, blocks, channels]));
  const coefficients = c.temporary(product([12, batch, channels]));
  const x = c.input(0);
  const y = c.output(0);
  const size = { batch, pixels, channels };
  const [scale, bias] = [perChannel(c, 1, channels), perChannel(c, 2, channels)];
  const { activation, alpha, beta } = epilogueOf(c, epilogue, -1, -1);
  const strides = { xPixelStride: channels, yPixelStride: channels };
  c.launch('groupMoments', { x, moments, ...size, xPixelStride: channels }, blocks, { writes: [moments] });
  c.launch(
    'groupCoefficients',
    { moments, scale, bias, coefficients, ...size, groups, epsilon },
    multiply(batch, groups),
    {
      writes: [coefficients],
    },
  );
  c.launch('groupNorm', { x, coefficients, y, ...size, ...strides, activation, alpha, beta }, blocks, {
    writes: [y],
    inPlace: [[y, x]],
  });
}

export const groupNormalizations = lowers(groupNormalization, lowerGroups);
