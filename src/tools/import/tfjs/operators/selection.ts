import type { Value } from '../../../../graph/graph.js';
import { type Draft, refuse } from '../draft.js';
import type { Attributes } from '../graph-def.js';
import { resized } from '../windows.js';
import type { Operands, Operator, Operators } from './operator.js';

/** The coordinate transformation of a resizing operator. */
function placesOf(a: Attributes): string {
  if (a.flag('align_corners')) return 'align_corners';
  return a.flag('half_pixel_centers') ? 'half_pixel' : 'asymmetric';
}

const bilinear: Operator = ([x, size], d, a) =>
  resized(d, d.cast(x, 'float32'), d.long(size), { mode: 'linear', coordinate_transformation_mode: placesOf(a) });

const nearest: Operator = ([x, size], d, a) => {
  const places = placesOf(a);
  const nearest_mode = places === 'asymmetric' ? 'floor' : 'round_prefer_ceil';
  return resized(d, x, d.long(size), { mode: 'nearest', coordinate_transformation_mode: places, nearest_mode });
};

/**
 * The positions of [boxes, count] rows or columns between two edges of boxes, in pixels of an axis with `size` pixels.
 */
function placesIn(d: Draft, boxes: Value, [from, to]: readonly [number, number], size: Value, count: number): Value {
  const edge = (i: number) => d.emit('Gather', [boxes, d.list(i)], { axis: 1 });
  const last = d.emit('Sub', [d.cast(size, 'float32'), d.number('float32', 1)]);
  const parts = Float32Array.from({ length: count }, (_, i) => (count > 1 ? i / (count - 1) : 0.5));
  const steps = d.constant({ type: 'float32', dims: [1, count], data: parts });
  const place = d.emit('Add', [edge(from), d.emit('Mul', [steps, d.emit('Sub', [edge(to), edge(from)])])]);
  return d.emit('Mul', [place, last]);
}

/** Crops boxes [boxes, 4] from images and resizes them to one size. Edges are fractions of height and width. */
function cropped([images, boxes, image, size]: Operands, d: Draft, a: Attributes): Value {
  const [height = 0, width = 0] = d.numbers(size, 'the size of the crops');
  const shape = d.shape(images);
  const extent = (axis: number) => d.emit('Gather', [shape, d.number('int64', axis)]);
  const isNearest = a.text('method').toLowerCase() === 'nearest';
  const rows = d.unsqueeze(placesIn(d, boxes, [0, 2], extent(1), height), 2);
  const columns = d.unsqueeze(placesIn(d, boxes, [1, 3], extent(2), width), 1);
  const grid = d.list(-1, height, width, 1);
  const whole = (x: Value) =>
    d.emit('Expand', [
      d.unsqueeze(x, 3),
      d.emit('Concat', [d.slice(d.shape(boxes), 0, 0, 1), d.slice(grid, 0, 1, 4)], { axis: 0 }),
    ]);
  const batch = whole(d.reshape(d.long(image), -1, 1, 1));
  const clamped = (x: Value, axis: number) =>
    d.emit('Clip', [d.long(x), d.number('int64', 0), d.emit('Sub', [extent(axis), d.number('int64', 1)])]);
  const at = (y: Value, x: Value) =>
    d.emit('GatherND', [images, d.emit('Concat', [batch, whole(clamped(y, 1)), whole(clamped(x, 2))], { axis: 3 })]);
  const isIn = d.unsqueeze(d.emit('And', [isWithin(d, rows, extent(1)), isWithin(d, columns, extent(2))]), 3);
  const up = (x: Value) => d.emit('Floor', [x]);
  const half = (x: Value) => up(d.emit('Add', [x, d.number('float32', 0.5)]));
  const inside = isNearest ? at(half(rows), half(columns)) : blended(d, at, rows, columns);
  return d.emit('Where', [isIn, d.cast(inside, 'float32'), d.number('float32', a.number('extrapolation_value', 0))]);
}

function isWithin(d: Draft, places: Value, extent: Value): Value {
  const last = d.emit('Sub', [d.cast(extent, 'float32'), d.number('float32', 1)]);
  const isFrom = d.emit('GreaterOrEqual', [places, d.number('float32', 0)]);
  return d.emit('And', [isFrom, d.emit('LessOrEqual', [places, last])]);
}

function blended(d: Draft, at: (y: Value, x: Value) => Value, rows: Value, columns: Value): Value {
  const edges = (x: Value) => [d.emit('Floor', [x]), d.emit('Ceil', [x])] as const;
  const [[top, bottom], [left, right]] = [edges(rows), edges(columns)];
  const between = (a: Value, b: Value, part: Value) => {
    const from = d.cast(a, 'float32');
    return d.emit('Add', [from, d.emit('Mul', [d.emit('Sub', [d.cast(b, 'float32'), from]), d.unsqueeze(part, 3)])]);
  };
  const across = d.emit('Sub', [columns, left]);
  const down = d.emit('Sub', [rows, top]);
  return between(
    between(at(top, left), at(top, right), across),
    between(at(bottom, left), at(bottom, right), across),
    down,
  );
}

/** The indices of the selected boxes, as int32. */
function suppressed([boxes, scores, most, overlap, least]: Operands, d: Draft): Value {
  const scalar = (x: Value, type: 'int64' | 'float32') => d.reshape(d.cast(x, type), 1);
  const inputs = [d.unsqueeze(boxes, 0), d.unsqueeze(scores, 0, 1), scalar(most, 'int64'), scalar(overlap, 'float32')];
  const found = d.emit('NonMaxSuppression', least ? [...inputs, scalar(least, 'float32')] : inputs);
  return d.int(d.emit('Gather', [found, d.number('int64', 2)], { axis: 1 }));
}

/** Returns the selected indices, padded with zeros if requested, and their number. */
function suppressedAndCounted(operands: Operands, d: Draft, a: Attributes): Value[] {
  const kept = suppressed(operands, d);
  const count = d.emit('Size', [kept]);
  if (!a.flag('pad_to_max_output_size')) return [kept, d.int(count)];
  const missing = d.emit('Sub', [d.long(d.scalar(operands[2])), count]);
  const pads = d.emit('Concat', [d.list(0), d.reshape(missing, 1)], { axis: 0 });
  return [d.emit('Pad', [kept, pads], { mode: 'constant' }), d.int(count)];
}

function suppressedAndScored(operands: Operands, d: Draft): Value[] {
  const [sigma = 0] = operands[5] ? d.numbers(operands[5], 'soft_nms_sigma') : [];
  if (sigma !== 0) refuse('ONNX does not support soft_nms_sigma');
  const kept = suppressed(operands, d);
  return [kept, d.emit('Gather', [operands[1], kept]), d.int(d.emit('Size', [kept]))];
}

const found: Operator = ([condition], d) => {
  const isTrue = d.element(condition) === 'bool' ? condition : d.cast(condition, 'bool');
  return d.int(d.transpose(d.emit('NonZero', [isTrue]), [1, 0]));
};

const best: Operator = ([x, count], d, a) => {
  const k = d.reshape(d.long(count), 1);
  const [values, places] = d.all('TopK', [x, k], { axis: -1, sorted: Number(a.flag('sorted', true)) }, 2);
  return [values as Value, d.int(places as Value)];
};

/** Casts to int64, as onnxruntime's Unique does not support int32. */
const distinct: Operator = ([x, axis], d) => {
  const [of = 0] = axis ? d.numbers(axis, 'axis') : [];
  const type = d.element(x);
  const wide = type === 'int32' ? d.long(x) : x;
  const [values, , places] = d.all('Unique', [wide], { sorted: 0, axis: of }, 4);
  return [d.cast(values as Value, type), d.int(places as Value)];
};

/** The elements of the first list that are not in the second, and their positions. */
function difference([x, others]: Operands, d: Draft): Value[] {
  const hits = d.cast(d.emit('Equal', [d.unsqueeze(x, 1), d.unsqueeze(others, 0)]), 'int32');
  const isNew = d.emit('Equal', [d.emit('ReduceSum', [hits, d.list(1)], { keepdims: 0 }), d.number('int32', 0)]);
  const places = d.reshape(d.emit('NonZero', [isNew]), -1);
  return [d.emit('Gather', [x, places]), d.int(places)];
}

/** The number of elements of a sorted row before each value. */
const bound =
  (comparison: string): Operator =>
  ([sorted, values], d) => {
    const isBefore = d.emit(comparison, [d.unsqueeze(sorted, 1), d.unsqueeze(values, 2)]);
    return d.emit('ReduceSum', [d.cast(isBefore, 'int32'), d.list(2)], { keepdims: 0 });
  };

export const selection: Operators = {
  ResizeBilinear: bilinear,
  ResizeNearestNeighbor: nearest,
  CropAndResize: cropped,
  NonMaxSuppressionV2: suppressed,
  NonMaxSuppressionV3: suppressed,
  NonMaxSuppressionV4: suppressedAndCounted,
  NonMaxSuppressionV5: suppressedAndScored,
  Where: found,
  TopKV2: best,
  Unique: distinct,
  UniqueV2: distinct,
  ListDiff: difference,
  LowerBound: bound('Less'),
  UpperBound: bound('LessOrEqual'),
};
