import { derived, differ } from '../../../graph/dims.js';
import type { Value } from '../../../graph/graph.js';
import { type Dim, tensorType } from '../../../graph/types.js';
import { int } from '../../../schema/attributes.js';
import { defineOp, type Inference } from '../../../schema/definition.js';
import { integers } from '../../../tensor/tensor-value.js';

export const LIMIT = 2;
const signature =
  'boxes: float32, scores: float32, max_output_boxes_per_class?: int64, iou_threshold?: float32, score_threshold?: float32';
const attributes = { center_point_box: int(0) };

function checkShapes(c: Inference<unknown>, boxes: readonly Dim[] | undefined, scores: readonly Dim[] | undefined) {
  if (boxes && (boxes.length !== 3 || differ(boxes[2], 4)))
    c.fail('INVALID_SHAPE', `boxes must be [images, boxes, 4], not [${boxes}]`);
  if (scores && scores.length !== 3)
    c.fail('INVALID_SHAPE', `scores must be [images, classes, boxes], not [${scores}]`);
  if (boxes && scores && (differ(boxes[0], scores[0]) || differ(boxes[1], scores[2])))
    c.fail('INVALID_SHAPE', `scores [${scores}] are not [images, classes, boxes] of boxes [${boxes}]`);
}

/** https://onnx.ai/onnx/operators/onnx__NonMaxSuppression.html */
export const nonMaxSuppression = defineOp({
  name: 'NonMaxSuppression',
  since: 10,
  signature: `${signature} -> selected_indices: int64`,
  attributes,
  infer(c) {
    checkShapes(c, c.dims(0), c.dims(1));
    return [tensorType('int64', [c.unknown(), 3])];
  },
  decompose(c) {
    const inputs = c.node.inputs.map((_, i) => (c.given(i) ? c.input(i) : null));
    const selected = c.emit('sardonyx:NonMaxSuppression', inputs, c.node.attributes, 2) as [Value, Value];
    return c.emit('sardonyx:SelectedBoxes', selected);
  },
});

/** The most boxes that one class can have. */
function capacityOf(c: Inference<unknown>, count: Dim): Dim {
  if (!c.given(LIMIT)) return 0;
  const known = c.contents(LIMIT);
  if (!known) return count;
  const limit = Math.max(0, integers(known)[0] as number);
  return derived(`at most ${limit}`, [count], (n) => Math.min(n, limit));
}

/** For every class of every image the selected boxes, then anything, and how many they are. */
export const selectBoxes = defineOp({
  domain: 'sardonyx',
  name: 'NonMaxSuppression',
  signature: `${signature} -> selected: int32, counts: int32`,
  attributes,
  infer(c) {
    const scores = c.dims(1) as readonly [Dim, Dim, Dim] | undefined;
    checkShapes(c, c.dims(0), scores);
    if (!scores) return [tensorType('int32'), tensorType('int32')];
    const [batch, classes, count] = scores;
    return [tensorType('int32', [batch, classes, capacityOf(c, count)]), tensorType('int32', [batch, classes])];
  },
});

/** The selected boxes of all classes as one list of [image, class, box]. */
export const selectedBoxes = defineOp({
  domain: 'sardonyx',
  name: 'SelectedBoxes',
  signature: 'selected: int32, counts: int32 -> selected_indices: int64',
  infer: (c) => [tensorType('int64', [c.unknown(), 3])],
  evaluate(c) {
    const [batch, classes, capacity] = c.tensor(0).dims as [number, number, number];
    const [selected, counts] = [c.tensor(0).data as Int32Array, c.tensor(1).data as Int32Array];
    const total = counts.reduce((sum, count) => sum + count, 0);
    // Low and high halves: a BigInt for each number would take longer than the selection.
    const halves = new Int32Array(6 * total);
    let to = 0;
    for (let tile = 0; tile < batch * classes; tile++) {
      for (let i = 0; i < (counts[tile] as number); i++, to += 6) {
        halves[to] = Math.floor(tile / classes);
        halves[to + 2] = tile % classes;
        halves[to + 4] = selected[tile * capacity + i] as number;
      }
    }
    return [{ type: 'int64', dims: [total, 3], data: new BigInt64Array(halves.buffer) }];
  },
});
