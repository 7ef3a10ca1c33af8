import type { Value } from '../../../../graph/graph.js';
import { type Draft, refuse } from '../draft.js';
import type { Attributes } from '../graph-def.js';
import { toFirst, toLast } from '../windows.js';
import { matched } from './arithmetic.js';
import type { Operands, Operator, Operators } from './operator.js';

/** An end beyond all axes, as ONNX clamps the ends of slices. */
const FAR = 2 ** 31 - 1;

const joined = (d: Draft, values: readonly Value[], axis: number): Value =>
  values.length === 1
    ? (values[0] as Value)
    : d.op('Concat', values.length ? matched(d, values) : refuse('the node has no inputs to join'), { axis });

/** Reshapes. In TensorFlow, a size of 0 means 0. */
export function reshaped(d: Draft, x: Value, shape: Value): Value {
  const isLiteral = d.known(shape)?.includes(0);
  return d.op('Reshape', [x, d.long(shape)], isLiteral ? { allowzero: 1 } : {});
}

function gathered([x, indices, axis]: Operands, d: Draft, a: Attributes): Value {
  const of = axis ? d.axis(axis, x) : 0;
  const shared = a.number('batch_dims', 0);
  if (shared === 0) return d.emit('Gather', [x, indices], { axis: of });
  if (shared !== of || shared < 0) refuse(`batch_dims=${shared} with axis=${of} is not supported`);
  return d.emit('GatherND', [x, d.unsqueeze(d.long(indices), -1)], { batch_dims: shared });
}

function reversed(d: Draft, x: Value, axes: readonly number[]): Value {
  const each = (number: number) => d.list(...axes.map(() => number));
  return axes.length ? d.emit('Slice', [x, each(-1), each(-FAR), d.list(...axes), each(-1)]) : x;
}

/** Slices. A size of -1 extends to the end. */
function sliced([x, begin, size]: Operands, d: Draft): Value {
  const [from, count] = [d.long(begin), d.long(size)];
  const isAll = d.emit('Less', [count, d.number('int64', 0)]);
  const to = d.emit('Where', [isAll, d.number('int64', FAR), d.emit('Add', [from, count])]);
  return d.emit('Slice', [x, from, to, d.list(...Array.from({ length: d.rank(x) }, (_, i) => i))]);
}

/** A sliced axis of a strided slice: its position in the lists, the axis, and whether the axis is removed. */
type Cut = { readonly at: number; readonly axis: number; readonly drops: boolean };

interface Cuts {
  readonly cuts: readonly Cut[];
  /** New axes of the result. */
  readonly added: readonly number[];
}

function cutsOf(d: Draft, x: Value, count: number, a: Attributes): Cuts {
  const has = (mask: string, at: number) => ((a.number(mask, 0) >> at) & 1) === 1;
  const places = Array.from({ length: count }, (_, at) => at);
  const named = places.filter((at) => !has('new_axis_mask', at) && !has('ellipsis_mask', at)).length;
  const cuts: Cut[] = [];
  const added: number[] = [];
  let [axis, made] = [0, 0];
  for (const at of places) {
    const skipped = has('ellipsis_mask', at) ? d.rank(x) - named : 0;
    [axis, made] = [axis + skipped, made + skipped];
    if (has('ellipsis_mask', at)) continue;
    if (has('new_axis_mask', at)) {
      added.push(made++);
      continue;
    }
    const drops = has('shrink_axis_mask', at);
    cuts.push({ at, axis: axis++, drops });
    if (!drops) made++;
  }
  return { cuts, added };
}

function sliceWithSteps([x, begin, end, strides]: Operands, d: Draft, a: Attributes): Value {
  const steps = d.numbers(strides, 'strides');
  const { cuts, added } = cutsOf(d, x, steps.length, a);
  const dropped = cuts.filter(({ drops }) => drops).map(({ axis }) => axis);
  const isOpen = (mask: string) => cuts.map(({ at, drops }) => !drops && ((a.number(mask, 0) >> at) & 1) === 1);
  const forward = cuts.map(({ at }) => (steps[at] as number) > 0);
  const places = d.list(...cuts.map(({ at }) => at));
  const given = (list: Value) => d.emit('Gather', [d.long(list), places]);
  const from = chosen(
    d,
    isOpen('begin_mask'),
    forward.map((is) => (is ? 0 : FAR)),
    given(begin),
  );
  const stop = chosen(
    d,
    isOpen('end_mask'),
    forward.map((is) => (is ? FAR : -FAR)),
    given(end),
  );
  const to = chosen(
    d,
    cuts.map(({ drops }) => !drops),
    stop,
    behind(d, from),
  );
  const by = d.list(...cuts.map(({ at, drops }) => (drops ? 1 : (steps[at] as number))));
  const part = cuts.length ? d.emit('Slice', [x, from, to, d.list(...cuts.map(({ axis }) => axis)), by]) : x;
  const rest = dropped.length ? d.squeeze(part, ...dropped) : part;
  return added.length ? d.unsqueeze(rest, ...added) : rest;
}

/** The end after a single element. After the last, -1, it is not 0, which would mean the first element. */
function behind(d: Draft, from: Value): Value {
  const next = d.emit('Add', [from, d.number('int64', 1)]);
  return d.emit('Where', [d.emit('Equal', [next, d.number('int64', 0)]), d.number('int64', FAR), next]);
}

function chosen(d: Draft, isFirst: readonly boolean[], first: readonly number[] | Value, second: Value): Value {
  if (!isFirst.some(Boolean)) return second;
  const condition = d.constant({ type: 'bool', dims: [isFirst.length], data: Uint8Array.from(isFirst, Number) });
  return d.emit('Where', [condition, 'name' in first ? first : d.list(...first), second]);
}

const split =
  (sizesOf: (d: Draft, x: Value, axis: number) => Value | number): ((d: Draft, x: Value, axis: number) => Value[]) =>
  (d, x, axis) => {
    const sizes = sizesOf(d, x, axis);
    if (typeof sizes === 'number') return d.all('Split', [x], { axis, num_outputs: sizes }, sizes);
    return d.all('Split', [x, sizes], { axis }, d.size(sizes, 0));
  };

function splitBySizes([x, given, axis]: Operands, d: Draft): Value[] {
  const of = d.axis(axis, x);
  const sizes = d.numbers(given, 'the sizes');
  const left = sizes.includes(-1) ? d.size(x, of) - sizes.reduce((sum, size) => sum + Math.max(size, 0), 0) : 0;
  return split(() => d.list(...sizes.map((size) => (size < 0 ? left : size))))(d, x, of);
}

function unpacked([x]: Operands, d: Draft, a: Attributes): Value[] {
  const axis = a.number('axis', 0);
  const count = a.number('num', 0) || d.size(x, axis);
  const parts = count === 1 ? [x] : split(() => count)(d, x, axis);
  return parts.map((part) => d.squeeze(part, axis));
}

/** Converts pads from [axes, 2] to ONNX's format. */
export const padsOf = (d: Draft, pads: Value): Value => d.reshape(d.transpose(d.long(pads), [1, 0]), -1);

const padded: Operator = ([x, pads, value], d) =>
  d.op('Pad', [x, padsOf(d, pads), value ? d.cast(value, d.element(x)) : d.number(d.element(x), 0)], {
    mode: 'constant',
  });

function mirrored([x, pads]: Operands, d: Draft, a: Attributes): Value {
  if (a.text('mode').toUpperCase() !== 'SYMMETRIC') return d.op('Pad', [x, padsOf(d, pads)], { mode: 'reflect' });
  const numbers = d.numbers(pads, 'paddings');
  return Array.from({ length: numbers.length / 2 }, (_, axis) => axis).reduce((value, axis) => {
    const [before = 0, after = 0] = numbers.slice(2 * axis);
    const front = before ? [reversed(d, d.slice(value, axis, 0, before), [axis])] : [];
    const back = after ? [reversed(d, d.slice(value, axis, -after, FAR), [axis])] : [];
    return joined(d, [...front, value, ...back], axis);
  }, x);
}

/** The sizes of some axes, int64 [n]. */
const sizes = (d: Draft, x: Value, begin: number, end = FAR): Value => d.slice(d.shape(x), 0, begin, end);

/** Moves blocks of the spatial axes to the batch. */
function spaceToBatch([x, block, pads]: Operands, d: Draft): Value {
  const blocks = d.numbers(block, 'the block');
  const n = blocks.length;
  const none = (count: number) => d.list(...new Array(2 * count).fill(0));
  const rest = d.rank(x) - 1 - n;
  const flat = d.emit('Concat', [none(1), d.reshape(d.long(pads), -1), none(rest)], { axis: 0 });
  const wide = d.op('Pad', [x, padsOf(d, d.reshape(flat, -1, 2))], { mode: 'constant' });
  const parts = blocks.flatMap((size, i) => [
    d.emit('Div', [sizes(d, wide, i + 1, i + 2), d.list(size)]),
    d.list(size),
  ]);
  const split = d.emit('Reshape', [
    wide,
    d.emit('Concat', [sizes(d, wide, 0, 1), ...parts, sizes(d, wide, n + 1)], { axis: 0 }),
  ]);
  const counts = blocks.map((_, i) => 2 * i + 1);
  const moved = d.transpose(split, [
    ...counts.map((i) => i + 1),
    0,
    ...counts,
    ...Array.from({ length: rest }, (_, i) => 2 * n + 1 + i),
  ]);
  const batch = d.emit('Mul', [sizes(d, x, 0, 1), d.list(blocks.reduce((a, b) => a * b, 1))]);
  return d.emit('Reshape', [
    moved,
    d.emit('Concat', [batch, ...counts.map((_, i) => parts[2 * i] as Value), sizes(d, x, n + 1)], { axis: 0 }),
  ]);
}

function batchToSpace([x, block, crops]: Operands, d: Draft): Value {
  const blocks = d.numbers(block, 'the block');
  const n = blocks.length;
  const batch = d.emit('Div', [sizes(d, x, 0, 1), d.list(blocks.reduce((a, b) => a * b, 1))]);
  const split = d.emit('Reshape', [x, d.emit('Concat', [d.list(...blocks), batch, sizes(d, x, 1)], { axis: 0 })]);
  const pairs = blocks.flatMap((_, i) => [n + 1 + i, i]);
  const rest = Array.from({ length: d.rank(x) - 1 - n }, (_, i) => 2 * n + 1 + i);
  const moved = d.transpose(split, [n, ...pairs, ...rest]);
  const wide = blocks.map((size, i) => d.emit('Mul', [sizes(d, x, i + 1, i + 2), d.list(size)]));
  const whole = d.emit('Reshape', [moved, d.emit('Concat', [batch, ...wide, sizes(d, x, n + 1)], { axis: 0 })]);
  const cut = d.transpose(d.long(crops), [1, 0]);
  const row = (i: number) => d.reshape(d.slice(cut, 0, i, i + 1), -1);
  const end = d.emit('Sub', [d.emit('Concat', wide, { axis: 0 }), row(1)]);
  return d.emit('Slice', [whole, row(0), end, d.list(...blocks.map((_, i) => i + 1))]);
}

/** Scatters values into a tensor of zeros. Values with the same index are added. */
function scattered([indices, updates, shape]: Operands, d: Draft): Value {
  const nothing = d.op('Expand', [d.number(d.element(updates), 0), d.long(shape)]);
  return d.emit('ScatterND', [nothing, d.long(indices), updates], { reduction: 'add' });
}

function sparse([indices, shape, values, standard]: Operands, d: Draft): Value {
  const rank = d.rank(indices);
  const places = rank === 2 ? indices : d.reshape(indices, -1, 1);
  const count = sizes(d, places, 0, 1);
  const rest = d.op('Expand', [standard ?? d.number(d.element(values), 0), d.long(shape)]);
  return d.emit('ScatterND', [rest, d.long(places), d.op('Expand', [values, count])]);
}

/** The broadcast shape of two shapes. */
function broadcastShape([a, b]: Operands, d: Draft): Value {
  const ranks = [a, b].map((shape) => d.dims(shape)?.[0]);
  if (!ranks.every((rank) => typeof rank === 'number')) {
    const whole = d.emit('Expand', [d.emit('ConstantOfShape', [d.long(a)]), d.long(b)]);
    return d.cast(d.shape(whole), d.element(a));
  }
  const rank = Math.max(...ranks);
  const wide = (shape: Value) => {
    const missing = rank - d.size(shape, 0);
    const ones = new Array<number>(missing).fill(1);
    return missing > 0 ? d.emit('Concat', [d.list(...ones), d.long(shape)], { axis: 0 }) : d.long(shape);
  };
  const [left, right] = [wide(a), wide(b)];
  return d.cast(d.emit('Where', [d.emit('Equal', [left, d.number('int64', 1)]), right, left]), d.element(a));
}

export const shapes: Operators = {
  ConcatV2: (operands, d) => joined(d, operands.slice(0, -1), d.axis(operands.at(-1) as Value, operands[0])),
  Concat: ([axis, ...values], d) => joined(d, values, d.axis(axis, values[0] as Value)),
  GatherV2: gathered,
  Gather: gathered,
  GatherNd: ([x, indices], d) => d.emit('GatherND', [x, d.long(indices)]),
  Reverse: ([x, flags], d) =>
    reversed(
      d,
      x,
      d.numbers(flags, 'axes').flatMap((is, axis) => (is ? [axis] : [])),
    ),
  ReverseV2: ([x, axes], d) => reversed(d, x, d.numbers(axes, 'axes')),
  Slice: sliced,
  StridedSlice: sliceWithSteps,
  Pack: (values, d, a) =>
    joined(
      d,
      values.map((value) => d.unsqueeze(value, a.number('axis', 0))),
      a.number('axis', 0),
    ),
  Unpack: unpacked,
  Tile: ([x, counts], d) => d.emit('Tile', [x, d.long(counts)]),
  Split: ([axis, x], d, a) => split(() => a.number('num_split', 1))(d, x, d.axis(axis, x)),
  SplitV: splitBySizes,
  ScatterNd: scattered,
  TensorScatterUpdate: ([x, indices, updates], d) => d.emit('ScatterND', [x, d.long(indices), updates]),
  SparseToDense: sparse,
  Reshape: ([x, shape], d) => reshaped(d, x, shape),
  EnsureShape: ([x]) => x,
  ExpandDims: ([x, axis], d) => d.unsqueeze(x, ...d.numbers(axis, 'axis')),
  Squeeze: ([x], d, a) => {
    const axes = [...a.numbers('squeeze_dims'), ...a.numbers('axis')];
    return axes.length ? d.squeeze(x, ...axes) : d.emit('Squeeze', [x]);
  },
  Pad: padded,
  PadV2: padded,
  MirrorPad: mirrored,
  SpaceToBatchND: spaceToBatch,
  BatchToSpaceND: batchToSpace,
  DepthToSpace: ([x], d, a) => {
    const isLast = a.text('data_format', 'NHWC') === 'NHWC';
    return toLast(d, d.emit('DepthToSpace', [toFirst(d, x, isLast)], { blocksize: a.number('block_size', 1) }), isLast);
  },
  BroadcastArgs: broadcastShape,
  BroadcastTo: ([x, shape], d) => d.emit('Expand', [x, d.long(shape)]),
  Rank: ([x], d) => d.number('int32', d.rank(x)),
  Size: ([x], d) => d.int(d.emit('Size', [x])),
  Shape: ([x], d) => d.int(d.shape(x)),
  ShapeN: (values, d) => values.map((x) => d.int(d.shape(x))),
};
