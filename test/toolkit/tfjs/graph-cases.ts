// A case or more for each operator of graph models.
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import {
  type Attr,
  b,
  f,
  fixed,
  floats,
  func,
  type GraphCase,
  i,
  int,
  ints,
  list,
  of,
  random,
  scalar,
  single,
  text,
  texts,
  type,
} from './graph-models.js';

const FLOAT = { T: type('float32') };
const INT = { T: type('int32') };
const named = (name: string, given: GraphCase): GraphCase => ({ ...given, name: `${given.name}: ${name}` });
const few = floats([7], -2.5, -1, -0.5, 0, 0.5, 1.5, 3);
const positive = random([2, 3], 0.1, 3);
const within = random([2, 3], -0.9, 0.9);
const above = random([2, 3], 1.1, 3);
const wholes = of('int32', [2, 3], [-7, -3, 0, 3, 7, 10]);
const divisors = of('int32', [2, 3], [2, -2, 3, 5, -4, 3]);
const bools = (...values: number[]) => of('bool', [values.length], values);

const UNARY: readonly [names: string, operand: TensorValue][] = [
  [
    'Abs Atan Ceil Cos Cosh Elu Erf Exp Expm1 Floor Neg Relu Relu6 Round Selu Sigmoid Sign Sin Sinh Softplus Square Tan Tanh Asinh',
    few,
  ],
  ['Log Log1p Sqrt Rsqrt Reciprocal', positive],
  ['Acos Asin Atanh', within],
  ['Acosh', above],
  ['IsNan IsInf IsFinite', floats([4], 1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY)],
];

const BINARY =
  'Add AddV2 Sub Mul Div RealDiv DivNoNan FloorDiv Mod FloorMod Maximum Minimum SquaredDifference Atan2 Equal NotEqual Greater GreaterEqual Less LessEqual';

const arithmetic: GraphCase[] = [
  ...UNARY.flatMap(([names, operand]) => names.split(' ').map((op) => single(op, [operand], FLOAT))),
  ...BINARY.split(' ').map((op) => single(op, [random([2, 1, 3]), random([4, 1])], FLOAT)),
  ...'AddV2 Sub Mul Div FloorDiv FloorMod Maximum Equal Less'
    .split(' ')
    .map((op) => named('integers', single(op, [wholes, divisors], INT))),
  named('signs', single('FloorMod', [floats([4], 5.5, -5.5, 5.5, -5.5), floats([4], 2, 2, -2, -2)], FLOAT)),
  named('by zero', single('DivNoNan', [random([3]), floats([3], 0, 2, 0)], FLOAT)),
  single('Pow', [positive, random([3])], FLOAT),
  single('AddN', [random([2, 2]), random([2, 2], 0, 1), random([2, 2], 3, 4)], FLOAT),
  single('BiasAdd', [random([2, 3, 4]), fixed(random([4]))], FLOAT),
  single('LeakyRelu', [few], { alpha: f(0.1) }),
  single('Prelu', [random([2, 3]), fixed(random([3]))], FLOAT),
  single('ClipByValue', [few, fixed(scalar(-1)), fixed(scalar(1))], FLOAT),
  single('LogicalAnd', [bools(1, 1, 0, 0), bools(1, 0, 1, 0)]),
  single('LogicalOr', [bools(1, 1, 0, 0), bools(1, 0, 1, 0)]),
  single('LogicalNot', [bools(1, 0)]),
  single('Select', [bools(1, 0, 1), random([3]), random([3], 5, 6)], FLOAT),
  single('SelectV2', [bools(1, 0, 1), random([2, 3]), scalar(0)], FLOAT),
  named('to int32', single('Cast', [few], { SrcT: type('float32'), DstT: type('int32') })),
  named('to bool', single('Cast', [few], { SrcT: type('float32'), DstT: type('bool') })),
  named('from bool', single('Cast', [bools(1, 0)], { SrcT: type('bool'), DstT: type('float32') })),
];

const window = (strides: readonly number[], padding: string, more: Readonly<Record<string, Attr>> = {}) => ({
  ...FLOAT,
  strides: list(1, ...strides, 1),
  padding: text(padding),
  ...more,
});
const one = list(1, 1, 1, 1);
const fusing = (...steps: string[]) => ({ fused_ops: texts(...steps), num_args: i(1) });
const image = random([2, 7, 8, 3]);
const kernel = fixed(random([3, 2, 3, 4]));
const single4 = fixed(random([4], -1, 1));
const channels = (low: number, high: number) => fixed(random([3], low, high));

const convolution: GraphCase[] = [
  ...['SAME', 'VALID'].flatMap((padding) =>
    [
      [1, 1],
      [2, 2],
      [3, 2],
    ].map((strides) =>
      named(`${padding} ${strides}`, single('Conv2D', [image, kernel], window(strides, padding, { dilations: one }))),
    ),
  ),
  named('dilated', single('Conv2D', [image, kernel], window([1, 1], 'SAME', { dilations: list(1, 2, 2, 1) }))),
  named(
    'explicit pads',
    single(
      'Conv2D',
      [image, kernel],
      window([2, 1], 'EXPLICIT', { dilations: one, explicit_paddings: list(0, 0, 1, 2, 0, 1, 0, 0) }),
    ),
  ),
  single('Conv1D', [random([2, 9, 3]), fixed(random([3, 3, 4]))], {
    ...FLOAT,
    stride: i(2),
    padding: text('SAME'),
    dilation: i(1),
  }),
  single('Conv3D', [random([1, 4, 5, 6, 2]), fixed(random([2, 3, 2, 2, 3]))], {
    ...FLOAT,
    strides: list(1, 1, 2, 1, 1),
    padding: text('SAME'),
    dilations: list(1, 1, 1, 1, 1),
    data_format: text('NDHWC'),
  }),
  ...['SAME', 'VALID'].map((padding) =>
    named(
      padding,
      single(
        'DepthwiseConv2dNative',
        [image, fixed(random([3, 3, 3, 2]))],
        window([2, 2], padding, { dilations: one }),
      ),
    ),
  ),
  single('DepthwiseConv2d', [image, fixed(random([2, 3, 3, 1]))], window([1, 1], 'SAME', { dilations: one })),
  ...['Relu', 'Relu6', 'Elu', 'LeakyRelu', 'Sigmoid'].map((step) =>
    named(
      step,
      single(
        '_FusedConv2D',
        [image, kernel, single4],
        window([1, 1], 'SAME', { dilations: one, ...fusing('BiasAdd', step), leakyrelu_alpha: f(0.3) }),
      ),
    ),
  ),
  named(
    'bias alone',
    single('_FusedConv2D', [image, kernel, single4], window([1, 1], 'SAME', { dilations: one, ...fusing('BiasAdd') })),
  ),
  named(
    'PReLU',
    single(
      '_FusedConv2D',
      [image, kernel, single4, fixed(random([4], 0, 1))],
      window([1, 1], 'SAME', { dilations: one, ...fusing('BiasAdd', 'Prelu'), num_args: i(2) }),
    ),
  ),
  named(
    'Relu6',
    single(
      'FusedDepthwiseConv2dNative',
      [image, fixed(random([3, 3, 3, 1])), fixed(random([3]))],
      window([2, 2], 'SAME', { dilations: one, ...fusing('BiasAdd', 'Relu6') }),
    ),
  ),
  ...(
    [
      ['SAME', [1, 14, 16, 5]],
      ['SAME', [1, 13, 15, 5]],
      ['VALID', [1, 15, 17, 5]],
    ] as const
  ).map(([padding, sizes]) =>
    named(
      `${padding} ${sizes}`,
      single(
        'Conv2DBackpropInput',
        [fixed(ints(...sizes)), fixed(random([3, 3, 5, 3])), random([1, 7, 8, 3])],
        window([2, 2], padding, { dilations: one }),
      ),
    ),
  ),
  ...['AvgPool', 'MaxPool'].flatMap((op) =>
    ['SAME', 'VALID'].map((padding) =>
      named(padding, single(op, [image], window([2, 2], padding, { ksize: list(1, 3, 3, 1) }))),
    ),
  ),
  ...['AvgPool3D', 'MaxPool3D'].map((op) =>
    single(op, [random([1, 4, 5, 6, 2])], {
      ...FLOAT,
      strides: list(1, 2, 2, 2, 1),
      padding: text('SAME'),
      ksize: list(1, 2, 3, 2, 1),
    }),
  ),
  ...['FusedBatchNorm', 'FusedBatchNormV2', 'FusedBatchNormV3'].map((op) =>
    single(op, [image, channels(0.5, 2), channels(-1, 1), channels(-1, 1), channels(0.1, 2)], {
      ...FLOAT,
      epsilon: f(0.01),
      is_training: b(false),
    }),
  ),
  single('LRN', [random([1, 3, 3, 8])], { ...FLOAT, depth_radius: i(2), bias: f(1.5), alpha: f(0.3), beta: f(0.6) }),
];

const axes = (...values: number[]) => fixed(ints(...values));
const cube = random([2, 3, 4]);

const reduction: GraphCase[] = [
  ...'Max Min Mean Sum Prod'
    .split(' ')
    .flatMap((op) => [
      single(op, [cube, axes(1)], { ...FLOAT, keep_dims: b(false) }),
      named('kept', single(op, [cube, axes(0, -1)], { ...FLOAT, keep_dims: b(true) })),
    ]),
  named('no axes', single('Sum', [cube, axes()], { ...FLOAT, keep_dims: b(false) })),
  named('one number', single('Mean', [cube, fixed(int(2))], { ...FLOAT, keep_dims: b(false) })),
  named('integers', single('Max', [wholes, axes(1)], { ...INT, keep_dims: b(false) })),
  ...['All', 'Any'].map((op) => single(op, [of('bool', [2, 2], [1, 0, 1, 1]), axes(0)], { keep_dims: b(false) })),
  ...['ArgMax', 'ArgMin'].map((op) => single(op, [cube, fixed(int(-1))], FLOAT)),
  single('EuclideanNorm', [cube, axes(1)], { ...FLOAT, keep_dims: b(true) }),
  ...[
    [false, false],
    [true, false],
    [false, true],
    [true, true],
  ].map(([exclusive, reverse]) =>
    named(
      `${exclusive} ${reverse}`,
      single('Cumsum', [cube, fixed(int(1))], {
        ...FLOAT,
        exclusive: b(exclusive as boolean),
        reverse: b(reverse as boolean),
      }),
    ),
  ),
  single('Bincount', [ints(1, 2, 2, 5), fixed(int(6)), fixed(floats([4], 1, 0.5, 2, 3))], FLOAT),
  single(
    'DenseBincount',
    [of('int32', [2, 3], [0, 1, 1, 3, 3, 3]), fixed(int(4)), fixed(floats([2, 3], 1, 1, 1, 2, 2, 2))],
    FLOAT,
  ),
  single('Softmax', [cube], FLOAT),
  single('LogSoftmax', [random([2, 5])], FLOAT),
];

const matrices: GraphCase[] = [
  single('MatMul', [random([2, 3]), fixed(random([3, 4]))], FLOAT),
  named(
    'flipped',
    single('MatMul', [random([3, 2]), fixed(random([4, 3]))], { ...FLOAT, transpose_a: b(true), transpose_b: b(true) }),
  ),
  single('BatchMatMul', [random([2, 3, 4]), random([2, 4, 2])], FLOAT),
  named(
    'flipped',
    single('BatchMatMulV2', [random([5, 4, 3]), random([1, 2, 4])], { ...FLOAT, adj_x: b(true), adj_y: b(true) }),
  ),
  ...['Relu', 'Relu6', 'Elu', 'LeakyRelu'].map((step) =>
    named(
      step,
      single('_FusedMatMul', [random([2, 3]), fixed(random([3, 4])), single4], {
        ...FLOAT,
        ...fusing('BiasAdd', step),
        leakyrelu_alpha: f(0.1),
      }),
    ),
  ),
  named(
    'PReLU',
    single('_FusedMatMul', [random([2, 3]), fixed(random([3, 4])), single4, fixed(random([4]))], {
      ...FLOAT,
      ...fusing('BiasAdd', 'Prelu'),
      num_args: i(2),
    }),
  ),
  single('Transpose', [cube, axes(2, 0, 1)], FLOAT),
  single('Einsum', [random([2, 3, 4]), random([4, 5])], { ...FLOAT, equation: text('abc,cd->abd'), N: i(2) }),
  ...[
    [-1, -1],
    [1, 1],
    [0, 0],
  ].map(([lower, upper]) =>
    named(
      `${lower} ${upper}`,
      single('MatrixBandPart', [random([2, 4, 5]), fixed(int(lower as number)), fixed(int(upper as number))], FLOAT),
    ),
  ),
];

const masks = (begin: number, end: number, added: number, ellipsis: number, shrunk: number) => ({
  ...FLOAT,
  begin_mask: i(begin),
  end_mask: i(end),
  new_axis_mask: i(added),
  ellipsis_mask: i(ellipsis),
  shrink_axis_mask: i(shrunk),
});
const strided = (begin: number[], end: number[], by: number[], attr: Readonly<Record<string, Attr>>) =>
  single('StridedSlice', [random([3, 4, 5]), axes(...begin), axes(...end), axes(...by)], attr);
const pads = fixed(of('int32', [3, 2], [0, 0, 1, 2, 2, 0]));

const shapes: GraphCase[] = [
  single('ConcatV2', [random([2, 3]), random([2, 1]), fixed(int(-1))], FLOAT),
  single('Concat', [fixed(int(0)), random([2, 3]), random([1, 3])], FLOAT),
  single('GatherV2', [cube, fixed(of('int32', [2, 2], [0, 2, 1, 1])), fixed(int(1))], FLOAT),
  named(
    'batch',
    single('GatherV2', [random([2, 3, 4]), fixed(of('int32', [2, 2], [0, 2, 1, 1])), fixed(int(1))], {
      ...FLOAT,
      batch_dims: i(1),
    }),
  ),
  single('Gather', [cube, ints(1, 0, 1)], FLOAT),
  single('GatherNd', [cube, of('int32', [3, 2], [0, 1, 1, 2, 0, 0])], FLOAT),
  single('Reverse', [cube, fixed(bools(0, 1, 1))], FLOAT),
  single('ReverseV2', [cube, axes(0, -1)], FLOAT),
  single('Slice', [cube, axes(0, 1, 2), axes(-1, 2, -1)], FLOAT),
  strided([1, 0, 4], [3, 4, 0], [1, 2, -2], masks(0, 0, 0, 0, 0)),
  named('masks', strided([1, 1, 1], [2, 2, 2], [1, 1, -1], masks(5, 6, 0, 0, 0))),
  named('shrunk', strided([-1, 1], [0, 4], [1, 1], masks(0, 0, 0, 0, 1))),
  named('ellipsis', strided([0, 0, 1], [0, 0, 3], [1, 1, 1], masks(0, 0, 0, 2, 1))),
  named('new axes', strided([0, 1, 0, 0], [0, 3, 0, 3], [1, 1, 1, 2], masks(0, 0, 5, 0, 0))),
  single('Pack', [random([2, 3]), random([2, 3], 5, 6)], { ...FLOAT, axis: i(1), N: i(2) }),
  single('Unpack', [cube], { ...FLOAT, axis: i(1), num: i(3) }, 3),
  single('Tile', [random([2, 3]), axes(2, 3)], FLOAT),
  single('Split', [fixed(int(1)), random([2, 6])], { ...FLOAT, num_split: i(3) }, 3),
  single('SplitV', [random([2, 6]), axes(1, -1, 2), fixed(int(1))], { ...FLOAT, num_split: i(3) }, 3),
  single('ScatterNd', [fixed(of('int32', [3, 1], [1, 3, 1])), random([3, 2]), axes(5, 2)], FLOAT),
  single('TensorScatterUpdate', [random([4, 2]), of('int32', [2, 1], [3, 0]), random([2, 2], 8, 9)], FLOAT),
  single(
    'SparseToDense',
    [fixed(of('int32', [2, 2], [0, 1, 2, 0])), axes(3, 2), fixed(floats([2], 5, 6)), fixed(scalar(-1))],
    FLOAT,
  ),
  single('Reshape', [cube, axes(4, -1)], FLOAT),
  named('empty', single('Reshape', [floats([0, 3]), axes(3, 0)], FLOAT)),
  single('EnsureShape', [cube, axes(2, 3, 4)], FLOAT),
  single('ExpandDims', [cube, fixed(int(1))], FLOAT),
  single('Squeeze', [random([1, 3, 1])], { ...FLOAT, squeeze_dims: list(0) }),
  named('all', single('Squeeze', [random([1, 3, 1])], { ...FLOAT, squeeze_dims: list() })),
  single('Pad', [cube, pads], FLOAT),
  single('PadV2', [cube, pads, fixed(scalar(9))], FLOAT),
  ...['REFLECT', 'SYMMETRIC'].map((mode) =>
    named(mode, single('MirrorPad', [cube, pads], { ...FLOAT, mode: text(mode) })),
  ),
  single('SpaceToBatchND', [random([1, 5, 4, 2]), axes(2, 2), fixed(of('int32', [2, 2], [0, 1, 1, 1]))], FLOAT),
  single('BatchToSpaceND', [random([8, 2, 3, 2]), axes(2, 2), fixed(of('int32', [2, 2], [0, 1, 1, 0]))], FLOAT),
  single('DepthToSpace', [random([1, 2, 3, 8])], { ...FLOAT, block_size: i(2), data_format: text('NHWC') }),
  single('BroadcastTo', [random([3, 1]), axes(2, 3, 4)], FLOAT),
  single('BroadcastArgs', [ints(3, 1), ints(2, 1, 4)], INT),
  named('none', single('BroadcastArgs', [ints(2, 0, 1), ints(1, 4)], INT)),
  ...['Rank', 'Size', 'Shape', 'ZerosLike', 'OnesLike', 'Identity', 'Snapshot', 'StopGradient'].map((op) =>
    single(op, [cube], FLOAT),
  ),
  single('ShapeN', [cube, random([2])], FLOAT, 2),
  single('IdentityN', [cube, random([2])], FLOAT, 2),
];

const creation: GraphCase[] = [
  single('Fill', [axes(2, 3), fixed(scalar(7))], FLOAT),
  single('LinSpace', [fixed(scalar(-1)), fixed(scalar(2)), fixed(int(5))], FLOAT),
  single('OneHot', [ints(0, 2, -1, 5), fixed(int(4)), fixed(scalar(3)), fixed(scalar(-1))], { ...FLOAT, axis: i(-1) }),
  single('Range', [fixed(int(2)), fixed(int(11)), fixed(int(3))], { Tidx: type('int32') }),
  single('FakeQuantWithMinMaxVars', [random([3]), fixed(scalar(-1)), fixed(scalar(1))], { num_bits: i(8) }),
];

const scaled = (op: string, align: boolean, half: boolean, size: readonly number[]) =>
  named(
    `${align} ${half} ${size}`,
    single(op, [image, axes(...size)], { ...FLOAT, align_corners: b(align), half_pixel_centers: b(half) }),
  );
const boxes = floats([5, 4], 0, 0, 1, 1, 0, 0.1, 1, 1.1, 0, -0.1, 1, 0.9, 0, 10, 1, 11, 0, 10.1, 1, 11.1);
const scores = floats([5], 0.9, 0.75, 0.6, 0.95, 0.5);
const most = fixed(int(3));
const overlap = fixed(scalar(0.5));
const least = fixed(scalar(0.55));

const selection: GraphCase[] = [
  ...['ResizeBilinear', 'ResizeNearestNeighbor'].flatMap((op) =>
    [
      [14, 16],
      [5, 3],
    ].flatMap((size) => [scaled(op, false, false, size), scaled(op, true, false, size), scaled(op, false, true, size)]),
  ),
  ...['bilinear', 'nearest'].map((method) =>
    named(
      method,
      single(
        'CropAndResize',
        [
          random([2, 6, 7, 3]),
          floats([3, 4], 0.1, 0.2, 0.8, 0.9, 0, 0, 1, 1, -0.3, 0.5, 0.6, 1.4),
          ints(0, 1, 1),
          axes(4, 5),
        ],
        { method: text(method), extrapolation_value: f(2.5) },
      ),
    ),
  ),
  single('NonMaxSuppressionV2', [boxes, scores, most, overlap]),
  single('NonMaxSuppressionV3', [boxes, scores, most, overlap, least]),
  single('NonMaxSuppressionV4', [boxes, scores, most, overlap, least], { pad_to_max_output_size: b(true) }, 2),
  single('NonMaxSuppressionV5', [boxes, scores, most, overlap, least, fixed(scalar(0))], {}, 2),
  single('Where', [of('bool', [2, 3], [1, 0, 1, 0, 0, 1])]),
  single('TopKV2', [random([2, 6]), fixed(int(3))], { ...FLOAT, sorted: b(true) }, 2),
  single('Unique', [ints(3, 1, 3, 2, 1)], INT, 2),
  single('UniqueV2', [ints(3, 1, 3, 2, 1), axes(0)], INT, 2),
  single('ListDiff', [ints(1, 2, 3, 4, 5), ints(5, 2)], INT, 2),
  single('LowerBound', [floats([1, 5], 1, 2, 2, 3, 5), floats([1, 3], 2, 4, 0)], FLOAT),
  single('UpperBound', [floats([1, 5], 1, 2, 2, 3, 5), floats([1, 3], 2, 4, 0)], FLOAT),
];

const chain = (
  nodes: GraphCase['nodes'],
  feeds: GraphCase['feeds'],
  weights: GraphCase['weights'],
  outputs: readonly string[],
  name: string,
): GraphCase => ({ name, nodes, feeds, weights, outputs });

const spectral: GraphCase[] = [
  chain(
    [
      { name: 'r', op: 'RFFT', input: ['x', 'n'] },
      { name: 'm', op: 'ComplexAbs', input: ['r'] },
      { name: 'y', op: 'IRFFT', input: ['r', 'n'] },
    ],
    { x: random([2, 8]) },
    { n: ints(8) },
    ['m', 'y'],
    'RFFT, ComplexAbs and IRFFT',
  ),
  chain(
    [
      { name: 'c', op: 'Complex', input: ['x', 'z'] },
      { name: 'f', op: 'FFT', input: ['c'] },
      { name: 'i', op: 'IFFT', input: ['f'] },
      { name: 'p', op: 'Real', input: ['f'] },
      { name: 'q', op: 'Imag', input: ['f'] },
      { name: 's', op: 'Real', input: ['i'] },
    ],
    { x: random([2, 6]), z: random([2, 6], 0, 1) },
    {},
    ['p', 'q', 's'],
    'Complex, FFT, IFFT, Real and Imag',
  ),
];

const argument = (name: string, element: string) => ({ name, type: element });

/** Functions of a branch or a loop: their operands, nodes and results. */
const written = (name: string, inputs: [string, string][], nodes: object[], outputs: [string, string, string][]) => ({
  signature: {
    name,
    inputArg: inputs.map(([input, element]) => argument(input, element)),
    outputArg: outputs.map(([output, element]) => argument(output, element)),
  },
  nodeDef: nodes,
  ret: Object.fromEntries(outputs.map(([output, , from]) => [output, from])),
});

const choice = (op: string, given: number): GraphCase => ({
  name: `${op} ${given}`,
  nodes: [{ name: 'y', op, input: ['c', 'x', 'z'], attr: { then_branch: func('sum'), else_branch: func('doubled') } }],
  functions: ['sum', 'doubled'].map((name) =>
    written(
      name,
      [
        ['p', 'DT_FLOAT'],
        ['q', 'DT_FLOAT'],
      ],
      [{ name: 'r', op: 'AddV2', input: name === 'sum' ? ['p', 'q'] : ['p', 'p'], attr: FLOAT }],
      [['out', 'DT_FLOAT', 'r:z:0']],
    ),
  ),
  feeds: { c: of('bool', [], [given]), x: random([2, 3]), z: random([2, 3], 4, 5) },
  weights: {},
  outputs: ['y'],
});

const loop = (op: string): GraphCase => ({
  name: `${op}: a sum of rows, and a list of what it was`,
  nodes: [
    { name: 'rows', op: 'TensorListFromTensor', input: ['x', 'sizes'], attr: { element_dtype: type('float32') } },
    {
      name: 'kept',
      op: 'TensorListReserve',
      input: ['sizes', 'count'],
      attr: { element_dtype: type('float32'), shape_type: type('int32') },
    },
    { name: 'w', op, input: ['zero', 'start', 'rows', 'kept'], attr: { cond: func('goes'), body: func('step') } },
    { name: 'sum', op: 'Identity', input: ['w:1'], attr: FLOAT },
    {
      name: 'all',
      op: 'TensorListStack',
      input: ['w:3', 'sizes'],
      attr: { element_dtype: type('float32'), num_elements: i(4) },
    },
  ],
  functions: [
    written(
      'goes',
      [
        ['i', 'DT_INT32'],
        ['s', 'DT_FLOAT'],
        ['l', 'DT_VARIANT'],
        ['k', 'DT_VARIANT'],
      ],
      [
        { name: 'n', op: 'TensorListLength', input: ['l'] },
        { name: 'c', op: 'Less', input: ['i', 'n:length:0'], attr: INT },
      ],
      [['out', 'DT_BOOL', 'c:z:0']],
    ),
    written(
      'step',
      [
        ['i', 'DT_INT32'],
        ['s', 'DT_FLOAT'],
        ['l', 'DT_VARIANT'],
        ['k', 'DT_VARIANT'],
      ],
      [
        { name: 'none', op: 'ZerosLike', input: ['i'], attr: INT },
        { name: 'one', op: 'OnesLike', input: ['i'], attr: { ...INT, dtype: type('int32') } },
        { name: 'j', op: 'AddV2', input: ['i', 'one:y:0'], attr: INT },
        { name: 'shape', op: 'Shape', input: ['s'], attr: FLOAT },
        {
          name: 'row',
          op: 'TensorListGetItem',
          input: ['l', 'i', 'shape:output:0'],
          attr: { element_dtype: type('float32') },
        },
        { name: 'sum', op: 'AddV2', input: ['s', 'row:item:0'], attr: FLOAT },
        {
          name: 'put',
          op: 'TensorListSetItem',
          input: ['k', 'i', 'sum:z:0'],
          attr: { element_dtype: type('float32') },
        },
      ],
      [
        ['a', 'DT_INT32', 'j:z:0'],
        ['b', 'DT_FLOAT', 'sum:z:0'],
        ['c', 'DT_VARIANT', 'l'],
        ['d', 'DT_VARIANT', 'put:output_handle:0'],
      ],
    ),
  ],
  feeds: { x: random([4, 3]) },
  weights: { zero: int(0), start: floats([3], 0, 0, 0), sizes: ints(3), count: int(4) },
  outputs: ['sum', 'all'],
});

const listed = (
  name: string,
  nodes: GraphCase['nodes'],
  weights: GraphCase['weights'],
  outputs: readonly string[],
): GraphCase =>
  chain(
    [
      { name: 'l', op: 'TensorListFromTensor', input: ['x', 'sizes'], attr: { element_dtype: type('float32') } },
      ...nodes,
    ],
    { x: random([4, 3]) },
    { sizes: ints(3), ...weights },
    outputs,
    name,
  );
const ELEMENT = { element_dtype: type('float32') };

const control: GraphCase[] = [
  ...['If', 'StatelessIf'].flatMap((op) => [choice(op, 0), choice(op, 1)]),
  loop('While'),
  loop('StatelessWhile'),
  listed(
    'TensorListGather',
    [{ name: 'y', op: 'TensorListGather', input: ['l', 'i', 'sizes'], attr: ELEMENT }],
    { i: ints(2, 0) },
    ['y'],
  ),
  listed(
    'TensorListPushBack',
    [
      { name: 'p', op: 'TensorListPushBack', input: ['l', 'z'], attr: ELEMENT },
      { name: 'y', op: 'TensorListStack', input: ['p', 'sizes'], attr: { ...ELEMENT, num_elements: i(5) } },
    ],
    { z: floats([3], 7, 8, 9) },
    ['y'],
  ),
  listed(
    'TensorListConcatV2',
    [
      {
        name: 'y',
        op: 'TensorListConcatV2',
        input: ['l', 'sizes'],
        attr: { ...ELEMENT, element_shape: { shape: { dim: [{ size: '3' }] } } },
      },
    ],
    {},
    ['y'],
  ),
  listed(
    'TensorListScatterV2',
    [
      { name: 's', op: 'TensorListScatterV2', input: ['x', 'i', 'sizes', 'n'], attr: ELEMENT },
      { name: 'y', op: 'TensorListStack', input: ['s', 'sizes'], attr: { ...ELEMENT, num_elements: i(4) } },
    ],
    { i: ints(2, 0, 3, 1), n: int(4) },
    ['y'],
  ),
];

export const GRAPH_CASES: readonly GraphCase[] = [
  ...arithmetic,
  ...convolution,
  ...reduction,
  ...matrices,
  ...shapes,
  ...creation,
  ...selection,
  ...spectral,
  ...control,
];
