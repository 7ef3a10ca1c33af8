import { differ } from '../graph/guards.js';
import { minimum, type Size } from '../graph/sizes.js';
import { tensorType } from '../graph/types.js';
import { int } from '../schema/attributes.js';
import { by, defineOp, type Evaluation, type Inference, type Primitive } from '../schema/definition.js';
import { requireOne } from '../schema/shapes.js';
import { numbersOf } from '../tensor/numbers.js';
import { integers } from '../tensor/tensor-value.js';

export const [BOXES, SCORES, LIMIT, OVERLAP, MINIMUM] = [0, 1, 2, 3, 4] as const;

export interface SuppressionParameters {
  /** Whether boxes are [x center, y center, width, height] instead of two opposite corners [y, x, y, x]. */
  readonly centered: boolean;
}

/** Boxes, thresholds and all arithmetic on them are float32. */
const f = Math.fround;

interface Box {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

function boxOf([a, b, c, d]: readonly [number, number, number, number], centered: boolean): Box {
  return centered
    ? { top: f(b - d / 2), left: f(a - c / 2), bottom: f(b + d / 2), right: f(a + c / 2) }
    : { top: Math.min(a, c), left: Math.min(b, d), bottom: Math.max(a, c), right: Math.max(b, d) };
}

const areaOf = ({ top, left, bottom, right }: Box) => f(f(bottom - top) * f(right - left));

/** Whether the intersection of two boxes over their union exceeds `threshold`. */
function overlap(a: Box, b: Box, threshold: number): boolean {
  const height = f(Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
  const width = f(Math.min(a.right, b.right) - Math.max(a.left, b.left));
  const shared = f(height * width);
  return height > 0 && width > 0 && f(shared / f(f(areaOf(a) + areaOf(b)) - shared)) > threshold;
}

/** Indices of the boxes with the best scores that no better box overlaps, best first. Equal scores keep their order. */
function selectBest(boxes: readonly Box[], scores: readonly number[], minimum: number, threshold: number): number[] {
  const order = [...scores.keys()].filter((i) => (scores[i] as number) > minimum);
  order.sort((i, j) =>
    (scores[i] as number) === scores[j] ? i - j : (scores[i] as number) > (scores[j] as number) ? -1 : 1,
  );
  const kept: number[] = [];
  for (const i of order) if (!kept.some((j) => overlap(boxes[i] as Box, boxes[j] as Box, threshold))) kept.push(i);
  return kept;
}

const numberIn = (c: Evaluation<unknown>, i: number, fallback: number): number =>
  c.given(i) ? f(numbersOf(c.tensor(i))[0] as number) : fallback;

/** For each class of each image, the best boxes that do not overlap, then unspecified numbers; and the number of those boxes. */
export const suppression: Primitive<SuppressionParameters> = {
  name: 'nonMaxSuppression',
  facts: {},
  reference(c, { centered }) {
    const { dims } = c.result(0);
    const [batch, classes, capacity] = dims as [number, number, number];
    const [corners, scores] = [numbersOf(c.tensor(BOXES)), Array.from(numbersOf(c.tensor(SCORES)), f)];
    const count = c.tensor(SCORES).dims[2] as number;
    const [threshold, minimum] = [numberIn(c, OVERLAP, 0), numberIn(c, MINIMUM, Number.NEGATIVE_INFINITY)];
    const limit = Math.min(Math.max(numberIn(c, LIMIT, 0), 0), capacity);
    const [selected, counts] = [new Int32Array(batch * classes * capacity), new Int32Array(batch * classes)];
    for (let tile = 0; tile < counts.length; tile++) {
      const first = Math.floor(tile / classes) * count;
      const cornerOf = (box: number, i: number) => f(corners[4 * (first + box) + i] as number);
      const boxes = Array.from({ length: count }, (_, box) =>
        boxOf([cornerOf(box, 0), cornerOf(box, 1), cornerOf(box, 2), cornerOf(box, 3)], centered),
      );
      const own = scores.slice(tile * count, (tile + 1) * count);
      const best = selectBest(boxes, own, minimum, threshold).slice(0, limit);
      selected.set(best, tile * capacity);
      counts[tile] = best.length;
    }
    return [
      { type: 'int32', dims, data: selected },
      { type: 'int32', dims: [batch, classes], data: counts },
    ];
  },
};

export const suppressionSignature =
  'boxes: float32, scores: float32, max_output_boxes_per_class?: int64, iou_threshold?: float32, score_threshold?: float32';

export const suppressionAttributes = { center_point_box: int(0) };

export function checkBoxes(
  c: Inference<unknown>,
  boxes: readonly Size[] | undefined,
  scores: readonly Size[] | undefined,
): void {
  if (boxes && (boxes.length !== 3 || differ(boxes[2], 4)))
    c.fail('INVALID_SHAPE', `boxes must be [images, boxes, 4], not [${boxes}]`);
  if (scores && scores.length !== 3)
    c.fail('INVALID_SHAPE', `scores must be [images, classes, boxes], not [${scores}]`);
  if (boxes && scores && (differ(boxes[0], scores[0]) || differ(boxes[1], scores[2])))
    c.fail('INVALID_SHAPE', `scores [${scores}] are not [images, classes, boxes] of boxes [${boxes}]`);
  for (const i of [LIMIT, OVERLAP, MINIMUM]) requireOne(c, i);
}

/** The largest number of boxes that one class can have. */
function capacityOf(c: Inference<unknown>, count: Size): Size {
  if (!c.given(LIMIT)) return 0;
  const known = c.contents(LIMIT);
  if (!known) return count;
  return minimum(count, Math.max(0, integers(known)[0] as number));
}

export const suppressionOperator = defineOp({
  domain: 'sardonyx',
  name: 'NonMaxSuppression',
  signature: `${suppressionSignature} -> selected: int32, counts: int32`,
  attributes: suppressionAttributes,
  guarded: true,
  infer(c) {
    const scores = c.dims(SCORES) as readonly [Size, Size, Size] | undefined;
    checkBoxes(c, c.dims(BOXES), scores);
    if (!scores) return [tensorType('int32'), tensorType('int32')];
    const [batch, classes, count] = scores;
    return [tensorType('int32', [batch, classes, capacityOf(c, count)]), tensorType('int32', [batch, classes])];
  },
  computes: by(suppression, (c: Inference<{ readonly center_point_box: number }>) => ({
    centered: c.attributes.center_point_box !== 0,
  })),
});
