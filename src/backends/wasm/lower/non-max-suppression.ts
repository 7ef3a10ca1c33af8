import { NonMaxSuppression } from '../../../../build/quantized-kernels.js';
import {
  BOXES,
  LIMIT,
  MINIMUM,
  OVERLAP,
  SCORES,
  type SuppressionParameters,
  suppression,
} from '../../../primitives/non-max-suppression.js';
import { type Lowering, lowers } from '../lowering.js';

function lowerSuppression(c: Lowering, { centered }: SuppressionParameters): undefined {
  const [batch, classes, count] = c.shape(SCORES) as [number, number, number];
  const capacity = c.outputShape(0)[2] as number;
  const tiles = batch * classes;
  const bytes =
    NonMaxSuppression.WORK + NonMaxSuppression.BLOCK * Math.ceil(capacity / 4) + NonMaxSuppression.CANDIDATE * count;
  const workBytes = 16 * Math.ceil(bytes / 16);
  const [selected, counts, work] = [c.output(0), c.output(1), c.temporary(tiles * workBytes)];
  const given = (i: number) => (c.given(i) ? c.input(i) : 0);
  const params = {
    boxes: c.input(BOXES),
    scores: c.input(SCORES),
    limit: given(LIMIT),
    overlap: given(OVERLAP),
    minimum: given(MINIMUM),
    selected,
    counts,
    work,
    workBytes,
    classes,
    count,
    capacity,
    centered: Number(centered),
  };
  c.launch('nonMaxSuppression', params, tiles, { writes: [selected, counts, work] });
}

export const suppressions = lowers(suppression, lowerSuppression);
