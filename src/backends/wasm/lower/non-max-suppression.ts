import { NonMaxSuppression } from '../../../../build/quantized-kernels.js';
import { add, ceilDivide, multiply, type Size } from '../../../graph/sizes.js';
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
  const [batch, classes, count] = c.shape(SCORES) as [Size, Size, Size];
  const capacity = c.outputShape(0)[2] as Size;
  const tiles = multiply(batch, classes);
  const blocks = multiply(NonMaxSuppression.BLOCK, ceilDivide(capacity, 4));
  const bytes = add(NonMaxSuppression.WORK, blocks, multiply(NonMaxSuppression.CANDIDATE, count));
  const workBytes = multiply(16, ceilDivide(bytes, 16));
  const [selected, counts, work] = [c.output(0), c.output(1), c.temporary(multiply(tiles, workBytes))];
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
