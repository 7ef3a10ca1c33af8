import { literal, scalar } from './mil.js';
import { type Recipe, refuse, type View } from './program.js';

const ints = (values: readonly number[]) => literal('int32', values);

/** The window of a convolution or pooling layer. */
interface Window {
  readonly strides: readonly number[];
  readonly dilations: readonly number[];
  /** The padding before and after each axis. */
  readonly pad: readonly number[];
}

function windowOf(view: View, kernel: readonly number[]): Window {
  const ones = kernel.map(() => 1);
  const [strides, dilations] = [view.ints('strides') ?? ones, view.ints('dilations') ?? ones];
  const auto = view.text('auto_pad', 'NOTSET');
  if (auto.startsWith('SAME')) return { strides, dilations, pad: samePad(view, kernel, strides, dilations, auto) };
  const pads = auto === 'VALID' ? undefined : view.ints('pads');
  return { strides, dilations, pad: kernel.flatMap((_, i) => [pads?.[i] ?? 0, pads?.[i + kernel.length] ?? 0]) };
}

/** The padding for auto_pad SAME_UPPER and SAME_LOWER. */
function samePad(
  view: View,
  kernel: readonly number[],
  strides: readonly number[],
  dilations: readonly number[],
  auto: string,
): number[] {
  const { dims } = view.in(0);
  return kernel.flatMap((size, i) => {
    const [length, stride] = [dims[i + 2] as number, strides[i] as number];
    const reach = (Math.ceil(length / stride) - 1) * stride + (size - 1) * (dilations[i] as number) + 1;
    const total = Math.max(reach - length, 0);
    const less = Math.floor(total / 2);
    return auto === 'SAME_UPPER' ? [less, total - less] : [total - less, less];
  });
}

const convolution =
  (type: 'conv' | 'conv_transpose'): Recipe =>
  (view) => {
    const kernel = view.in(1).dims.slice(2);
    if (view.text('auto_pad', 'NOTSET') !== 'NOTSET' && type !== 'conv')
      refuse('Core ML does not support auto_pad of transposed convolutions');
    if (view.ints('output_padding')?.some((size) => size !== 0) || view.ints('output_shape'))
      refuse('Core ML does not support output_padding');
    const { strides, dilations, pad } = windowOf(view, kernel);
    view.give(type, {
      x: view.x(0),
      weight: view.fixed(1),
      ...(view.has(2) && { bias: view.fixed(2) }),
      strides: ints(strides),
      pad_type: scalar('string', 'custom'),
      pad: ints(pad),
      dilations: ints(dilations),
      groups: scalar('int32', view.int('group', 1)),
    });
  };

const pool =
  (type: 'max_pool' | 'avg_pool'): Recipe =>
  (view) => {
    const kernel = view.ints('kernel_shape') ?? [];
    const { strides, dilations, pad } = windowOf(view, kernel);
    if (dilations.some((step) => step !== 1)) refuse('Core ML does not support dilated pooling');
    if (view.node.output[1]) refuse('Core ML does not support the output Indices');
    // Refuse windows beyond the padded input, which runtimes handle differently.
    const { dims } = view.in(0);
    const sizes = kernel.map((size, i) => {
      const length = (dims[i + 2] as number) + (pad[2 * i] as number) + (pad[2 * i + 1] as number);
      return Math.floor((length - size) / (strides[i] as number)) + 1;
    });
    if (sizes.some((size, i) => size !== view.out.dims[i + 2]))
      refuse('Core ML does not support windows beyond the padded input (ceil_mode)');
    const isExcluded = scalar('bool', Number(view.int('count_include_pad', 0) === 0));
    view.give(type, {
      x: view.x(0),
      kernel_sizes: ints(kernel),
      strides: ints(strides),
      pad_type: scalar('string', 'custom'),
      pad: ints(pad),
      ...(type === 'avg_pool' && { exclude_padding_from_average: isExcluded }),
    });
  };

const overImage =
  (type: string): Recipe =>
  (view) => {
    const axes = view
      .in(0)
      .dims.slice(2)
      .map((_, i) => i + 2);
    view.give(type, { x: view.x(0), axes: ints(axes), keep_dims: scalar('bool', 1) });
  };

const no = scalar('bool', 0);

const matmul: Recipe = (view) => {
  if (view.in(0).dims.length < 2 || view.in(1).dims.length < 2) refuse('Core ML does not support products of vectors');
  view.give('matmul', { x: view.x(0), y: view.x(1), transpose_x: no, transpose_y: no });
};

/** alpha · A · B + beta · C, where alpha and C are optional. */
const gemm: Recipe = (view) => {
  const [alpha, beta] = [view.float('alpha', 1), view.float('beta', 1)];
  const inputs = {
    x: view.x(0),
    y: view.x(1),
    transpose_x: scalar('bool', view.int('transA', 0)),
    transpose_y: scalar('bool', view.int('transB', 0)),
  };
  const isScaled = alpha.values[0] !== 1;
  if (!isScaled && !view.has(2)) return view.give('matmul', inputs);
  const product = view.step('matmul', inputs, view.out);
  if (!view.has(2)) return view.give('mul', { x: product, y: alpha });
  const scaled = isScaled ? view.step('mul', { x: product, y: alpha }, view.out) : product;
  const added = beta.values[0] === 1 ? view.x(2) : view.step('mul', { x: view.x(2), y: beta }, view.in(2));
  view.give('add', { x: scaled, y: added });
};

const onlyOutput = (view: View): void => {
  if (view.node.output.slice(1).some(Boolean)) refuse('Core ML only supports the first output');
};

export const LAYERS: Readonly<Record<string, Recipe>> = {
  Conv: convolution('conv'),
  ConvTranspose: convolution('conv_transpose'),
  MaxPool: pool('max_pool'),
  AveragePool: pool('avg_pool'),
  GlobalAveragePool: overImage('reduce_mean'),
  GlobalMaxPool: overImage('reduce_max'),
  MatMul: matmul,
  Gemm: gemm,
  BatchNormalization: (view) => {
    onlyOutput(view);
    if (view.in(0).dims.length < 3) refuse('Core ML needs an input of rank 3 or higher');
    const [gamma, beta] = [view.fixed(1), view.fixed(2)];
    const [mean, variance] = [view.fixed(3), view.fixed(4)];
    view.give('batch_norm', { x: view.x(0), mean, variance, gamma, beta, epsilon: view.float('epsilon', 1e-5) });
  },
  InstanceNormalization: (view) =>
    view.give('instance_norm', {
      x: view.x(0),
      gamma: view.fixed(1),
      beta: view.fixed(2),
      epsilon: view.float('epsilon', 1e-5),
    }),
  LayerNormalization: (view) => {
    onlyOutput(view);
    const { dims } = view.in(0);
    const axis = view.int('axis', -1);
    const first = axis < 0 ? axis + dims.length : axis;
    const axes = ints(dims.slice(first).map((_, i) => first + i));
    const beta = view.has(2) && { beta: view.fixed(2) };
    view.give('layer_norm', {
      x: view.x(0),
      axes,
      gamma: view.fixed(1),
      ...beta,
      epsilon: view.float('epsilon', 1e-5),
    });
  },
  LRN: (view) =>
    view.give('local_response_norm', {
      x: view.x(0),
      size: scalar('int32', view.int('size', 1)),
      alpha: view.float('alpha', 1e-4),
      beta: view.float('beta', 0.75),
      k: view.float('bias', 1),
    }),
  Softmax: (view) => view.give('softmax', { x: view.x(0), axis: scalar('int32', view.int('axis', -1)) }),
  LogSoftmax: (view) => {
    const soft = view.step('softmax', { x: view.x(0), axis: scalar('int32', view.int('axis', -1)) }, view.out);
    view.give('log', { x: soft, epsilon: scalar('fp32', 0) });
  },
};
