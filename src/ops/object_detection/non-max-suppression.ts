import { tensorType } from '../../graph/types.js';
import type { TensorValue } from '../../tensor/tensor-value.js';
import { int } from '../attributes.js';
import { defineOp, type Evaluation } from '../definition.js';

interface Box {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

/** Two opposite corners, or centre and size. */
function boxesOf(boxes: Float32Array, from: number, count: number, centered: boolean): Box[] {
  return Array.from({ length: count }, (_, i) => {
    const [a, b, c, d] = boxes.subarray(from + 4 * i, from + 4 * i + 4) as unknown as [number, number, number, number];
    return centered
      ? { top: b - d / 2, left: a - c / 2, bottom: b + d / 2, right: a + c / 2 }
      : { top: Math.min(a, c), left: Math.min(b, d), bottom: Math.max(a, c), right: Math.max(b, d) };
  });
}

const area = ({ top, left, bottom, right }: Box) => (bottom - top) * (right - left);

function overlap(a: Box, b: Box): number {
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  if (height <= 0 || width <= 0) return 0;
  const shared = height * width;
  return shared / (area(a) + area(b) - shared);
}

/** Best scores first; a box is kept unless it overlaps one kept before it by more than the threshold. */
function keptBoxes(boxes: readonly Box[], scores: Float32Array, limit: number, iou: number, minimum: number): number[] {
  const candidates = boxes.map((_, i) => i).filter((i) => (scores[i] as number) > minimum);
  candidates.sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
  const kept: number[] = [];
  for (const candidate of candidates) {
    if (kept.length >= limit) break;
    const box = boxes[candidate] as Box;
    if (kept.every((other) => overlap(box, boxes[other] as Box) <= iou)) kept.push(candidate);
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
      for (let kind = 0; kind < classes; kind++) {
        const from = (batch * classes + kind) * count;
        const rated = (scores.data as Float32Array).subarray(from, from + count);
        for (const box of keptBoxes(own, rated, limit, iou, minimum)) selected.push(batch, kind, box);
      }
    }
    return [{ type: 'int64', dims: [selected.length / 3, 3], data: BigInt64Array.from(selected, BigInt) }];
  },
});
