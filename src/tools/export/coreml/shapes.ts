import { literal, scalar } from './mil.js';
import { type Recipe, refuse, type View } from './program.js';
import { spread } from './spread.js';

const ints = (values: readonly number[]) => literal('int32', values);

/** Reshapes to the inferred output shape. */
const reshape: Recipe = (view) => view.give('reshape', { x: view.x(0), shape: ints(view.out.dims) });

const axisOf = (view: View, otherwise: number): number => {
  const axis = view.int('axis', otherwise);
  return axis < 0 ? axis + view.in(0).dims.length : axis;
};

const reduction =
  (type: string): Recipe =>
  (view) => {
    const rank = view.in(0).dims.length;
    const given = view.has(1) ? view.numbers(1) : view.ints('axes');
    if (!given?.length && view.int('noop_with_empty_axes', 0) === 1) return view.give('identity', { x: view.x(0) });
    const axes = given?.length ? given : Array.from({ length: rank }, (_, i) => i);
    view.give(type, { x: view.x(0), axes: ints(axes), keep_dims: scalar('bool', view.int('keepdims', 1)) });
  };

const REDUCTIONS: Readonly<Record<string, string>> = {
  ReduceMean: 'reduce_mean',
  ReduceSum: 'reduce_sum',
  ReduceMax: 'reduce_max',
  ReduceMin: 'reduce_min',
  ReduceProd: 'reduce_prod',
  ReduceL1: 'reduce_l1_norm',
  ReduceL2: 'reduce_l2_norm',
  ReduceSumSquare: 'reduce_sum_square',
  ReduceLogSum: 'reduce_log_sum',
  ReduceLogSumExp: 'reduce_log_sum_exp',
};

const place =
  (type: string): Recipe =>
  (view) => {
    if (view.int('select_last_index', 0) === 1) refuse('Core ML does not support select_last_index=1');
    const keep_dims = scalar('bool', view.int('keepdims', 1));
    view.give(type, { x: view.x(0), axis: scalar('int32', axisOf(view, 0)), keep_dims });
  };

/** Makes negative indices non-negative. */
const gather: Recipe = (view) => {
  const axis = axisOf(view, 0);
  const size = view.in(0).dims[axis] as number;
  const [indices, shaped] = [view.x(1), view.in(1)];
  const isBelow = view.step('less', { x: indices, y: scalar('int32', 0) }, { type: 'bool', dims: shaped.dims });
  const fromEnd = view.step('add', { x: indices, y: scalar('int32', size) }, shaped);
  const counted = view.step('select', { cond: isBelow, a: fromEnd, b: indices }, shaped);
  view.give('gather', { x: view.x(0), indices: counted, axis: scalar('int32', axis) });
};

const slice: Recipe = (view) => {
  const { dims } = view.in(0);
  const [starts, ends] = [view.numbers(1), view.numbers(2)];
  const axes = (view.has(3) ? view.numbers(3) : starts.map((_, i) => i)).map((axis) =>
    axis < 0 ? axis + dims.length : axis,
  );
  const steps = view.has(4) ? view.numbers(4) : starts.map(() => 1);
  const [begin, end, stride] = [dims.map(() => 0), [...dims], dims.map(() => 1)];
  const isToEnd = dims.map(() => 0);
  for (const [i, axis] of axes.entries()) {
    const [size, step] = [dims[axis] as number, steps[i] as number];
    const within = (at: number, least: number, most: number) =>
      Math.min(Math.max(at < 0 ? at + size : at, least), most);
    const [from, to] = [starts[i] as number, ends[i] as number];
    stride[axis] = step;
    begin[axis] = step > 0 ? within(from, 0, size) : within(from, 0, size - 1);
    // An end before the first element is expressed by the mask, as -1 means the last element.
    end[axis] = step > 0 ? within(to, 0, size) : within(to, -1, size - 1);
    isToEnd[axis] = Number(end[axis] < 0);
    end[axis] = Math.max(end[axis], 0);
  }
  view.give('slice_by_index', {
    x: view.x(0),
    begin: ints(begin),
    end: ints(end),
    stride: ints(stride),
    end_mask: literal('bool', isToEnd),
  });
};

const MODES: Readonly<Record<string, string>> = { constant: 'constant', reflect: 'reflect', edge: 'replicate' };

const pad: Recipe = (view) => {
  const rank = view.in(0).dims.length;
  const given = view.numbers(1);
  if (view.has(3)) refuse('Core ML does not support the input axes of Pad');
  const pads = Array.from({ length: rank }, (_, i) => [given[i] as number, given[i + rank] as number]);
  const first = pads.findIndex((sides) => sides.some((size) => size !== 0));
  if (first < 0) return view.give('identity', { x: view.x(0) });
  if (given.some((size) => size < 0)) refuse('Core ML does not support negative pads');
  const onnxMode = view.text('mode', 'constant');
  const mode = MODES[onnxMode] ?? refuse(`Core ML does not support padding mode ${onnxMode}`);
  if (mode !== 'constant' && first < rank - 2) refuse(`Core ML only pads the last two axes in mode ${mode}`);
  view.give('pad', {
    x: view.x(0),
    pad: ints(pads.slice(first).flat()),
    mode: scalar('string', mode),
    constant_val: scalar(view.out.type, view.has(2) ? (view.numbers(2)[0] as number) : 0),
  });
};

const expand: Recipe = (view) => view.give('identity', { x: spread(view, 0, view.out.dims) });

const split: Recipe = (view) => {
  const axis = axisOf(view, 0);
  const sizes = view.node.output.map((name) => view.program.shapeOf(name).dims[axis] as number);
  view.give('split', { x: view.x(0), split_sizes: ints(sizes), axis: scalar('int32', axis) });
};

/** Supports the resizing modes of images that Core ML has. */
const resize: Recipe = (view) => {
  const [from, to] = [view.in(0).dims, view.out.dims];
  const isImage = from.length === 4 && from[0] === to[0] && from[1] === to[1];
  if (!isImage) refuse('Core ML only resizes the last two axes of rank-4 input');
  const [height, width] = [to[2] as number, to[3] as number];
  const where = view.text('coordinate_transformation_mode', 'half_pixel');
  if (view.text('mode', 'nearest') === 'linear' && view.int('antialias', 0) === 0) {
    const mode = { half_pixel: 'UNALIGN_CORNERS', align_corners: 'STRICT_ALIGN_CORNERS' }[where];
    if (!mode) refuse(`Core ML does not support linear resizing with coordinate_transformation_mode=${where}`);
    return view.give('resize_bilinear', {
      x: view.x(0),
      target_size_height: scalar('int32', height),
      target_size_width: scalar('int32', width),
      sampling_mode: scalar('string', mode as string),
    });
  }
  const [rows, columns] = [height / (from[2] as number), width / (from[3] as number)];
  const nearest = `${where} ${view.text('nearest_mode', 'round_prefer_floor')}`;
  const isRepeated = ['asymmetric floor', 'half_pixel round_prefer_floor'].includes(nearest);
  if (
    !isRepeated ||
    !Number.isInteger(rows) ||
    !Number.isInteger(columns) ||
    view.text('mode', 'nearest') !== 'nearest'
  )
    refuse('Core ML only supports nearest resizing by integer factors');
  view.give('upsample_nearest_neighbor', {
    x: view.x(0),
    scale_factor_height: scalar('int32', rows),
    scale_factor_width: scalar('int32', columns),
  });
};

export const SHAPES: Readonly<Record<string, Recipe>> = {
  ...Object.fromEntries(['Reshape', 'Flatten', 'Squeeze', 'Unsqueeze'].map((name) => [name, reshape])),
  ...Object.fromEntries(Object.entries(REDUCTIONS).map(([name, type]) => [name, reduction(type)])),
  ArgMax: place('reduce_argmax'),
  ArgMin: place('reduce_argmin'),
  Gather: gather,
  Slice: slice,
  Pad: pad,
  Expand: expand,
  Split: split,
  Resize: resize,
  Tile: (view) => view.give('tile', { x: view.x(0), reps: ints(view.numbers(1)) }),
  Transpose: (view) => {
    const reversed = view.in(0).dims.map((_, i, { length }) => length - 1 - i);
    view.give('transpose', { x: view.x(0), perm: ints(view.ints('perm') ?? reversed) });
  },
  Concat: (view) =>
    view.give('concat', {
      values: view.node.input.map((_, i) => view.x(i)),
      axis: scalar('int32', axisOf(view, 0)),
      interleave: scalar('bool', 0),
    }),
  CumSum: (view) =>
    view.give('cumsum', {
      x: view.x(0),
      axis: scalar('int32', view.numbers(1)[0] as number),
      exclusive: scalar('bool', view.int('exclusive', 0)),
      reverse: scalar('bool', view.int('reverse', 0)),
    }),
  DepthToSpace: (view) => {
    const isPixels = view.text('mode', 'DCR') === 'CRD';
    const size = scalar('int32', view.int('blocksize', 1));
    if (isPixels) view.give('pixel_shuffle', { x: view.x(0), upscale_factor: size });
    else view.give('depth_to_space', { x: view.x(0), block_size: size });
  },
  SpaceToDepth: (view) =>
    view.give('space_to_depth', { x: view.x(0), block_size: scalar('int32', view.int('blocksize', 1)) }),
};
