import type { ElementType } from '../../../tensor/element-types.js';
import { numbersOf } from '../../../tensor/numbers.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import { refuse } from '../../import/tfjs/draft.js';
import type { AttrDef } from '../../import/tfjs/graph-def.js';
import { namesOfElementwise } from '../../import/tfjs/operators/arithmetic.js';

export type Attrs = Readonly<Record<string, AttrDef>>;

/** Writes TensorFlow nodes. Values are referred to by name. */
export interface Writer {
  readonly write: (op: string, inputs: readonly string[], attr?: Attrs) => string;
  readonly constant: (type: ElementType, dims: readonly number[], numbers: readonly number[]) => string;
  readonly list: (...numbers: number[]) => string;
  readonly scalar: (value: number, type?: ElementType) => string;
}

/** A node and facts about its operands. */
export interface Emitted {
  readonly inputs: readonly string[];
  readonly given: Readonly<Record<string, unknown>>;
  readonly results: number;
  readonly type: ElementType;
  readonly dims: (i: number) => readonly unknown[];
  /** The values of a constant operand. */
  readonly known: (i: number) => readonly number[] | undefined;
}

type Emission = (node: Emitted, w: Writer) => string | readonly string[];

const TYPES: Partial<Record<ElementType, string>> = {
  float32: 'DT_FLOAT',
  float16: 'DT_FLOAT',
  float64: 'DT_FLOAT',
  bool: 'DT_BOOL',
  string: 'DT_STRING',
};
const BY_CODE: Readonly<Record<number, string>> = { 1: 'DT_FLOAT', 9: 'DT_BOOL', 10: 'DT_FLOAT', 11: 'DT_FLOAT' };

/** The TensorFlow type. All integers have 32 bits. */
export const typeName = (type: ElementType): string => TYPES[type] ?? 'DT_INT32';
export const typed = (type: ElementType): Attrs => ({ T: { type: typeName(type) } });
export const flag = (b: unknown): AttrDef => ({ b: Boolean(b) });
export const whole = (i: number): AttrDef => ({ i: String(i) });
const many = (i: readonly number[]): AttrDef => ({ list: { i: i.map(String) } });

const fixed = (node: Emitted, i: number, what: string): readonly number[] =>
  node.known(i) ?? refuse(`${what} must be constant`);

const plain =
  (op: string): Emission =>
  ({ inputs, type }, w) =>
    w.write(op, inputs, typed(type));

const reduced =
  (op: string): Emission =>
  (node, w) => {
    const axes = node.known(1) ?? node.dims(0).map((_, axis) => axis);
    const isNone = node.known(1)?.length === 0;
    if (isNone && node.given.noop_with_empty_axes) return node.inputs[0] as string;
    const all = isNone ? node.dims(0).map((_, axis) => axis) : axes;
    return w.write(op, [node.inputs[0] as string, w.list(...all)], {
      ...typed(node.type),
      keep_dims: flag(node.given.keepdims),
    });
  };

const placeOf =
  (op: string): Emission =>
  ({ inputs, given, dims, type }, w) => {
    if (given.select_last_index) return refuse('TensorFlow.js does not support select_last_index=1');
    const place = w.write(op, [inputs[0] as string, w.scalar(Number(given.axis ?? 0), 'int32')], typed(type));
    return given.keepdims
      ? w.write(
          'ExpandDims',
          [place, w.scalar(inside(Number(given.axis ?? 0), dims(0).length), 'int32')],
          typed('int32'),
        )
      : place;
  };

const inside = (axis: number, rank: number): number => (axis < 0 ? axis + rank : axis);

const clip: Emission = ({ inputs: [x = '', least, most], type, known }, w) => {
  if (known(1)?.[0] === 0 && known(2)?.[0] === 6) return w.write('Relu6', [x], typed(type));
  if (least && most && known(1) && known(2)) return w.write('ClipByValue', [x, least, most], typed(type));
  const above = least ? w.write('Maximum', [x, least], typed(type)) : x;
  return most ? w.write('Minimum', [above, most], typed(type)) : above;
};

/** Sizes may be constant or computed. */
const reshape: Emission = (node, w) => {
  const shape = node.known(1);
  const [x = '', given = ''] = node.inputs;
  if (!shape) return w.write('Reshape', [x, given], typed(node.type));
  const dims = node.dims(0);
  const sizes = shape.map((size, axis) => (size === 0 && !node.given.allowzero ? dims[axis] : size));
  const open = sizes.filter((size) => typeof size !== 'number').length;
  if (open + Number(sizes.includes(-1)) <= 1)
    return w.write(
      'Reshape',
      [x, w.list(...sizes.map((size) => (typeof size === 'number' ? size : -1)))],
      typed(node.type),
    );
  return w.write('Reshape', [x, sizesOf(w, x, sizes)], typed(node.type));
};

/** Concatenates constant sizes and sizes of `x` at run time. `added`: the number of new axes before those of `x`. */
function sizesOf(w: Writer, x: string, sizes: readonly unknown[], added = 0): string {
  const shape = w.write('Shape', [x], { out_type: { type: 'DT_INT32' } });
  const parts = sizes.map((size, axis) =>
    typeof size === 'number'
      ? w.list(size)
      : w.write('Slice', [shape, w.list(axis - added), w.list(1)], typed('int32')),
  );
  return w.write('ConcatV2', [...parts, w.scalar(0, 'int32')], { ...typed('int32'), N: whole(parts.length) });
}

const squeeze: Emission = (node, w) => {
  const axes = node.known(1) ?? [];
  return w.write('Squeeze', [node.inputs[0] as string], { ...typed(node.type), squeeze_dims: many(axes) });
};

const unsqueeze: Emission = (node, w) => {
  const axes = fixed(node, 1, 'axes');
  const rank = node.dims(0).length + axes.length;
  const sorted = axes.map((axis) => inside(axis, rank)).sort((a, b) => a - b);
  return sorted.reduce(
    (x, axis) => w.write('ExpandDims', [x, w.scalar(axis, 'int32')], typed(node.type)),
    node.inputs[0] as string,
  );
};

const concat: Emission = ({ inputs, given, type }, w) =>
  inputs.length === 1
    ? (inputs[0] as string)
    : w.write('ConcatV2', [...inputs, w.scalar(Number(given.axis), 'int32')], {
        ...typed(type),
        N: whole(inputs.length),
      });

const FAR = 2 ** 31 - 1;

const slice: Emission = (node, w) => {
  const [starts, ends] = [fixed(node, 1, 'starts'), fixed(node, 2, 'ends')];
  const rank = node.dims(0).length;
  const axes = node.known(3) ?? starts.map((_, axis) => axis);
  const steps = node.known(4) ?? starts.map(() => 1);
  const [begin, end, by] = [0, 0, 1].map((value) => new Array<number>(rank).fill(value)) as [
    number[],
    number[],
    number[],
  ];
  let [beginMask, endMask] = [2 ** rank - 1, 2 ** rank - 1];
  for (const [i, given] of axes.entries()) {
    const axis = inside(given, rank);
    const [start, stop, step] = [starts[i] as number, ends[i] as number, steps[i] as number];
    by[axis] = step;
    begin[axis] = Math.max(-FAR, Math.min(start, FAR));
    end[axis] = Math.max(-FAR, Math.min(stop, FAR));
    if (step > 0 || start < FAR) beginMask &= ~(1 << axis);
    if (Math.abs(stop) < FAR) endMask &= ~(1 << axis);
  }
  const masks = {
    begin_mask: whole(beginMask),
    end_mask: whole(endMask),
    ellipsis_mask: whole(0),
    new_axis_mask: whole(0),
    shrink_axis_mask: whole(0),
  };
  return w.write('StridedSlice', [node.inputs[0] as string, w.list(...begin), w.list(...end), w.list(...by)], {
    ...typed(node.type),
    ...masks,
  });
};

const split: Emission = (node, w) => {
  const axis = Number(node.given.axis ?? 0);
  const size = node.dims(0)[inside(axis, node.dims(0).length)];
  const each = Math.ceil(Number(size) / node.results);
  const sizes =
    node.known(1) ?? Array.from({ length: node.results }, (_, i) => Math.min(each, Number(size) - i * each));
  if (sizes.some((part) => !(part >= 0))) refuse('the sizes of the parts must be known');
  const name = w.write('SplitV', [node.inputs[0] as string, w.list(...sizes), w.scalar(axis, 'int32')], {
    ...typed(node.type),
    num_split: whole(sizes.length),
  });
  return sizes.map((_, i) => (i ? `${name}:${i}` : name));
};

const pad: Emission = (node, w) => {
  const pads = fixed(node, 1, 'pads');
  if (node.inputs[3]) refuse('TensorFlow.js does not support the input axes of Pad');
  const rank = pads.length / 2;
  const rows = Array.from({ length: rank }, (_, axis) => [pads[axis] as number, pads[axis + rank] as number]);
  if (pads.some((size) => size < 0)) refuse('TensorFlow.js does not support negative pads');
  const table = w.write('Reshape', [w.list(...rows.flat()), w.list(rank, 2)], typed('int32'));
  const [x = '', , value] = node.inputs;
  const mode = String(node.given.mode ?? 'constant');
  if (mode === 'reflect')
    return w.write('MirrorPad', [x, table], { ...typed(node.type), mode: { s: btoa('REFLECT') } });
  if (mode !== 'constant') return refuse(`TensorFlow.js does not support padding mode ${mode}`);
  return w.write('PadV2', [x, table, value || w.scalar(0, node.type)], typed(node.type));
};

/** Broadcasts. The shape may be 1 for an axis in which the operand is larger. */
const expand: Emission = (node, w) => {
  const shape = node.known(1);
  const [x = '', given = ''] = node.inputs;
  if (!shape) {
    const own = w.write('Shape', [x], { out_type: { type: 'DT_INT32' } });
    return w.write('BroadcastTo', [x, w.write('BroadcastArgs', [own, given], typed('int32'))], typed(node.type));
  }
  const dims = node.dims(0);
  const rank = Math.max(dims.length, shape.length);
  const sizes = Array.from({ length: rank }, (_, i) => {
    const [own = 1, wanted = 1] = [dims[i - rank + dims.length], shape[i - rank + shape.length]];
    return wanted === 1 ? own : wanted;
  });
  return w.write(
    'BroadcastTo',
    [
      x,
      sizes.every((size) => typeof size === 'number')
        ? w.list(...(sizes as number[]))
        : sizesOf(w, x, sizes, rank - dims.length),
    ],
    typed(node.type),
  );
};

const topK: Emission = (node, w) => {
  const {
    given,
    inputs: [x = ''],
  } = node;
  const rank = node.dims(0).length;
  if (inside(Number(given.axis ?? -1), rank) !== rank - 1 || !given.largest)
    refuse('TensorFlow.js only supports TopK of the largest values along the last axis');
  const [count = 1] = fixed(node, 1, 'K');
  const name = w.write('TopKV2', [x, w.scalar(count, 'int32')], { ...typed(node.type), sorted: flag(true) });
  return [name, `${name}:1`];
};

const cast: Emission = ({ inputs, given, type }, w) => {
  const [from, to] = [typeName(type), BY_CODE[Number(given.to)] ?? 'DT_INT32'];
  return from === to ? (inputs[0] as string) : w.write('Cast', inputs, { SrcT: { type: from }, DstT: { type: to } });
};

const leaky: Emission = ({ inputs, given, type }, w) =>
  w.write('LeakyRelu', inputs, { ...typed(type), alpha: { f: Number(given.alpha ?? 0.01) } });

const elu: Emission = ({ inputs, given, type }, w) =>
  Number(given.alpha ?? 1) === 1 ? w.write('Elu', inputs, typed(type)) : refuse('TensorFlow.js only supports alpha=1');

/** Makes constant negative indices non-negative. TensorFlow.js rejects other negative indices at run time. */
const gather: Emission = (node, w) => {
  const {
    inputs: [x = '', indices = ''],
    given,
    type,
  } = node;
  const axis = Number(given.axis ?? 0);
  const known = node.known(1) ?? [];
  const size = node.dims(0).at(axis);
  const isBehind = known.some((index) => index < 0) && typeof size === 'number';
  const fromBegin = () => known.map((index) => inside(index, size as number));
  const places = isBehind ? w.constant('int32', node.dims(1) as readonly number[], fromBegin()) : indices;
  return w.write('GatherV2', [x, places, w.scalar(axis, 'int32')], {
    Tparams: { type: typeName(type) },
    batch_dims: whole(0),
  });
};

const sum: Emission = (node, w) => {
  const [axis = 0] = fixed(node, 1, 'axis');
  return w.write('Cumsum', [node.inputs[0] as string, w.scalar(axis, 'int32')], {
    ...typed(node.type),
    exclusive: flag(node.given.exclusive),
    reverse: flag(node.given.reverse),
  });
};

const product: Emission = ({ inputs, dims, type }, w) => {
  if (dims(0).length === 2 && dims(1).length === 2)
    return w.write('MatMul', inputs, { ...typed(type), transpose_a: flag(false), transpose_b: flag(false) });
  if (dims(0).length < 2 || dims(1).length < 2)
    return refuse('TensorFlow.js does not support products of vectors and matrices');
  return w.write('BatchMatMulV2', inputs, { ...typed(type), adj_x: flag(false), adj_y: flag(false) });
};

const filled: Emission = ({ inputs: [shape = ''], given }, w) => {
  const value = given.value as TensorValue | undefined;
  const number = value ? Number(numbersOf(value)[0]) : 0;
  return w.write('Fill', [shape, w.scalar(number, value?.type)], typed(value?.type ?? 'float32'));
};

/** Supports a single image and class, and prepends their indices to each box index. */
const suppressed: Emission = (node, w) => {
  const [boxes = '', scores = '', most, overlap, least] = node.inputs;
  if (node.dims(0)[0] !== 1 || node.dims(1)[1] !== 1 || node.given.center_point_box)
    return refuse('TensorFlow.js only supports one batch, one class and center_point_box=0');
  const flat = (x: string, axes: readonly number[]) =>
    w.write('Squeeze', [x], { ...typed('float32'), squeeze_dims: many(axes) });
  const scalar = (x: string | undefined, standard: number, type: ElementType) =>
    x ? w.write('Reshape', [x, w.list()], typed(type)) : w.scalar(standard, type);
  const limits = [scalar(most, 0, 'int32'), scalar(overlap, 0, 'float32'), scalar(least, -FAR, 'float32')];
  const kept = w.write('NonMaxSuppressionV3', [flat(boxes, [0]), flat(scores, [0, 1]), ...limits], typed('float32'));
  const column = w.write('ExpandDims', [kept, w.scalar(1, 'int32')], typed('int32'));
  const pads = w.write('Reshape', [w.list(0, 0, 2, 0), w.list(2, 2)], typed('int32'));
  return w.write('PadV2', [column, pads, w.scalar(0, 'int32')], typed('int32'));
};

const nonZero: Emission = ({ inputs: [x = ''], type }, w) => {
  const isThere = type === 'bool' ? x : w.write('NotEqual', [x, w.scalar(0, type)], typed(type));
  return w.write('Transpose', [w.write('Where', [isThere], typed('bool')), w.list(1, 0)], typed('int32'));
};

/** ONNX rounds integer division toward 0, TensorFlow.js rounds it down. */
const divided: Emission = (node, w) => {
  if (typeName(node.type) !== 'DT_INT32') return plain('RealDiv')(node, w);
  const both = (op: string) => node.inputs.map((x) => w.write(op, [x], typed('int32')));
  const [sign, size] = [w.write('Mul', both('Sign'), typed('int32')), w.write('FloorDiv', both('Abs'), typed('int32'))];
  return w.write('Mul', [sign, size], typed('int32'));
};

const selu: Emission = (node, w) =>
  Math.abs(Number(node.given.alpha) - 1.6732632) < 1e-6 && Math.abs(Number(node.given.gamma) - 1.050701) < 1e-6
    ? plain('Selu')(node, w)
    : refuse('TensorFlow.js only supports the default alpha and gamma');

/** Emissions by ONNX operator. */
export const EMISSIONS: Readonly<Record<string, Emission>> = {
  ...Object.fromEntries(namesOfElementwise.map(([own, op]) => [op, plain(own)])),
  ArgMax: placeOf('ArgMax'),
  ArgMin: placeOf('ArgMin'),
  Cast: cast,
  Clip: clip,
  Concat: concat,
  ConstantOfShape: filled,
  CumSum: sum,
  Div: divided,
  Einsum: ({ inputs, given, type }, w) =>
    w.write('Einsum', inputs, {
      ...typed(type),
      equation: { s: btoa(String(given.equation)) },
      N: whole(inputs.length),
    }),
  Elu: elu,
  Expand: expand,
  Gather: gather,
  GatherND: (node, w) =>
    node.given.batch_dims
      ? refuse('TensorFlow.js does not support batch_dims of GatherND')
      : w.write('GatherNd', node.inputs, { Tparams: { type: typeName(node.type) } }),
  Identity: ({ inputs: [x = ''] }) => x,
  IsInf: plain('IsInf'),
  IsNaN: plain('IsNan'),
  LeakyRelu: leaky,
  LogSoftmax: plain('LogSoftmax'),
  MatMul: product,
  Mod: (node, w) => (node.given.fmod ? refuse('TensorFlow.js does not support fmod=1') : plain('FloorMod')(node, w)),
  Pad: pad,
  NonMaxSuppression: suppressed,
  NonZero: nonZero,
  PRelu: plain('Prelu'),
  Range: ({ inputs, type }, w) => w.write('Range', inputs, { Tidx: { type: typeName(type) } }),
  ReduceMax: reduced('Max'),
  ReduceMean: reduced('Mean'),
  ReduceMin: reduced('Min'),
  ReduceProd: reduced('Prod'),
  ReduceSum: reduced('Sum'),
  Reshape: reshape,
  Selu: selu,
  Shape: ({ inputs, given }, w) =>
    given.start || given.end
      ? refuse('TensorFlow.js does not support start and end of Shape')
      : w.write('Shape', inputs, { out_type: { type: 'DT_INT32' } }),
  Slice: slice,
  Softmax: plain('Softmax'),
  Split: split,
  Squeeze: squeeze,
  Tile: plain('Tile'),
  TopK: topK,
  Transpose: ({ inputs: [x = ''], given, type }, w) =>
    w.write('Transpose', [x, w.list(...(given.perm as number[]))], typed(type)),
  Unsqueeze: unsqueeze,
  Where: plain('SelectV2'),
};
