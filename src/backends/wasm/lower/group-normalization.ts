import type { Place } from '../../../../bindings/place.js';
import { countOf } from '../../../../bindings/tiles.js';
import { GroupNorm } from '../../../../build/kernels.js';
import { type GroupParameters, groupNormalization } from '../../../primitives/group-normalization.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import { type Lowering, lowers } from '../lowering.js';
import { epilogueOf } from './epilogue.js';
import { copyStrided } from './strided-copy.js';

/** Scale or bias [channels]; one number per group is repeated for the channels of the group. */
function perChannel(c: Lowering, i: number, channels: number): Place {
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

function lowerGroups(c: Lowering, { groups, epsilon, ...epilogue }: GroupParameters): undefined {
  const dims = c.shape(0);
  const channels = dims.at(-1) as number;
  const batch = dims[0] as number;
  const pixels = elementCount(dims.slice(1, -1));
  if (elementCount(dims) === 0) return;
  const blocks = { count: pixels, per: GroupNorm.BlockPixels, times: batch };
  c.isEven();
  const moments = c.temporary(12 * countOf(blocks) * channels);
  const coefficients = c.temporary(12 * batch * channels);
  const x = c.input(0);
  const y = c.output(0);
  const size = { batch, pixels, channels };
  const [scale, bias] = [perChannel(c, 1, channels), perChannel(c, 2, channels)];
  const { activation, alpha, beta } = epilogueOf(c, epilogue, -1, -1);
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

export const groupNormalizations = lowers(groupNormalization, lowerGroups);
