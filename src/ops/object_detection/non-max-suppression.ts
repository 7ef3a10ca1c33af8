import { tensorType } from '../../graph/types.js';
import type { TensorValue } from '../../tensor/tensor-value.js';
import { int } from '../attributes.js';
import { defineOp, type Evaluation } from '../definition.js';
import { Grid } from './box-grid.js';

/** Corners of boxes by column: [top, left, bottom, right], each a list of `count`. */
export interface Boxes {
  readonly count: number;
  readonly top: Float32Array;
  readonly left: Float32Array;
  readonly bottom: Float32Array;
  readonly right: Float32Array;
}

/** From two opposite corners [y, x, y, x] each, or from centre and size [x, y, width, height]. */
function boxesOf(boxes: Float32Array, from: number, count: number, centered: boolean): Boxes {
  const [top, left, bottom, right] = Array.from({ length: 4 }, () => new Float32Array(count)) as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  for (let i = 0; i < count; i++) {
    const [a, b, c, d] = [0, 1, 2, 3].map((k) => boxes[from + 4 * i + k]) as [number, number, number, number];
    top[i] = centered ? b - d / 2 : Math.min(a, c);
    left[i] = centered ? a - c / 2 : Math.min(b, d);
    bottom[i] = centered ? b + d / 2 : Math.max(a, c);
    right[i] = centered ? a + c / 2 : Math.max(b, d);
  }
  return { count, top, left, bottom, right };
}

const at = (values: Float32Array, i: number) => values[i] as number;

const { fround } = Math;

/** Whether two boxes share more than `iou` of their union, in the float32 arithmetic that settles ties everywhere else. */
function overlaps({ top, left, bottom, right }: Boxes, a: number, b: number, iou: number): boolean {
  const height = fround(Math.min(at(bottom, a), at(bottom, b)) - Math.max(at(top, a), at(top, b)));
  if (height <= 0) return false;
  const width = fround(Math.min(at(right, a), at(right, b)) - Math.max(at(left, a), at(left, b)));
  if (width <= 0) return false;
  const shared = fround(height * width);
  const area = (i: number) => fround(fround(at(bottom, i) - at(top, i)) * fround(at(right, i) - at(left, i)));
  const union = fround(fround(area(a) + area(b)) - shared);
  return fround(shared / union) > iou;
}

/**
 * Best scores first; a box is kept unless it overlaps one kept before it by more than the threshold. Only boxes that meet
 * in a cell of the grid can overlap, so only those are compared.
 */
function keptBoxes(
  boxes: Boxes,
  grid: Grid,
  scores: Float32Array,
  limit: number,
  iou: number,
  minimum: number,
): number[] {
  const candidates = Array.from({ length: boxes.count }, (_, i) => i).filter((i) => (scores[i] as number) > minimum);
  candidates.sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
  grid.clear();
  const kept: number[] = [];
  for (const candidate of candidates) {
    if (kept.length >= limit) break;
    if (grid.some(candidate, (other) => overlaps(boxes, candidate, other, iou))) continue;
    kept.push(candidate);
    grid.add(candidate);
  }
  return kept;
}

const scalar = (c: Evaluation<unknown>, i: number, fallback: number) =>
  c.given(i) ? Number((c.tensor(i) as TensorValue).data[0]) : fallback;

/** https://onnx.ai/onnx/operators/onnx__NonMaxSuppression.html */
export const nonMaxSuppression = defineOp({
  name: 'NonMaxSuppression',
  since: 10,
  signature:
    'boxes: float32, scores: float32, max_output_boxes_per_class?: int64, iou_threshold?: float32, score_threshold?: float32 -> selected_indices: int64',
  attributes: { center_point_box: int(0) },
  infer: (c) => [tensorType('int64', [c.unknown(), 3])],
  evaluate(c) {
    const [boxes, scores] = [c.tensor(0), c.tensor(1)];
    const [batches = 0, classes = 0, count = 0] = scores.dims;
    const limit = scalar(c, 2, 0);
    const iou = scalar(c, 3, 0);
    const minimum = scalar(c, 4, Number.NEGATIVE_INFINITY);
    const selected: number[] = [];
    for (let batch = 0; batch < batches; batch++) {
      const own = boxesOf(boxes.data as Float32Array, batch * count * 4, count, c.attributes.center_point_box !== 0);
      const grid = new Grid(own);
      for (let kind = 0; kind < classes; kind++) {
        const from = (batch * classes + kind) * count;
        const rated = (scores.data as Float32Array).subarray(from, from + count);
        for (const box of keptBoxes(own, grid, rated, limit, iou, minimum)) selected.push(batch, kind, box);
      }
    }
    return [{ type: 'int64', dims: [selected.length / 3, 3], data: BigInt64Array.from(selected, BigInt) }];
  },
});
