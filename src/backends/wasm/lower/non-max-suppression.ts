import { NonMaxSuppression } from '../../../../build/kernels.js';
import { LIMIT, type selectBoxes } from '../../../ops/onnx/object_detection/non-max-suppression.js';
import type { AttributesOf, Lowering, Lowerings } from '../lowering.js';

function nonMaxSuppression(c: Lowering<AttributesOf<typeof selectBoxes>>): undefined {
  const [batch, classes, count] = c.shape(1) as [number, number, number];
  const capacity = c.outputShape(0)[2] as number;
  const tiles = batch * classes;
  const bytes =
    NonMaxSuppression.WORK + NonMaxSuppression.BLOCK * Math.ceil(capacity / 4) + NonMaxSuppression.CANDIDATE * count;
  const workBytes = 16 * Math.ceil(bytes / 16);
  const [selected, counts, work] = [c.output(0), c.output(1), c.temporary(tiles * workBytes)];
  const given = (i: number) => (c.given(i) ? c.input(i) : 0);
  const params = {
    boxes: c.input(0),
    scores: c.input(1),
    limit: given(LIMIT),
    overlap: given(3),
    minimum: given(4),
    selected,
    counts,
    work,
    workBytes,
    classes,
    count,
    capacity,
    centered: c.attributes.center_point_box,
  };
  c.launch('nonMaxSuppression', params, tiles, { writes: [selected, counts, work] });
}

export const suppressions: Lowerings = { 'sardonyx:NonMaxSuppression': nonMaxSuppression };
