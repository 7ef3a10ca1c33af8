import { type AttributeInputs, modelBuilder, tensor } from '../../src/builder/index.js';
import type { Value } from '../../src/graph/graph.js';
import type { ElementType } from '../../src/tensor/element-types.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { type NamedTensor, type Random, randomFloats, randomIntegers, seeded, uniformFloats } from '../inputs.js';
import { integerProducts } from './integer-products.js';
import { nBitProducts } from './n-bit-products.js';

/** One operator at one size, as a model of a single node. */
export interface OperatorCase {
  name: string;
  op: string;
  /** ONNX's own by default. */
  domain?: string;
  /** Inputs; normally distributed floats if only dims are given. */
  feeds: readonly (readonly number[] | ((name: string, random: Random) => NamedTensor))[];
  /** Further inputs that are constants of the model; `null` is an absent input. */
  constants?: readonly (TensorValue | null)[];
  attributes?: AttributeInputs;
  outputs?: number;
  opset?: number;
}

const i64 = (...values: number[]): TensorValue => tensor('int64', [values.length], values);
const f32 = (...values: number[]): TensorValue => tensor('float32', [values.length], values);
const weights = (...dims: number[]): TensorValue => randomFloats('', dims, seeded(dims.length));

const HIDDEN = [1, 128, 768];
const MAP = [1, 64, 56, 56];
const VOLUME = [8, 12, 64, 64];

const unary = (op: string, attributes?: AttributeInputs): OperatorCase => ({
  name: op,
  op,
  feeds: [HIDDEN],
  ...(attributes && { attributes }),
});

const normalizations: OperatorCase[] = [
  { name: 'Softmax of 128', op: 'Softmax', feeds: [[1, 12, 128, 128]] },
  { name: 'Softmax of 1000', op: 'Softmax', feeds: [[64, 1000]] },
  { name: 'Softmax over channels', op: 'Softmax', feeds: [[1, 21, 128, 128]], attributes: { axis: 1 } },
  { name: 'LogSoftmax of 1000', op: 'LogSoftmax', feeds: [[64, 1000]] },
  {
    name: 'LayerNormalization of 768',
    op: 'LayerNormalization',
    feeds: [HIDDEN],
    constants: [weights(768), weights(768)],
  },
  {
    name: 'GroupNormalization 32 groups',
    op: 'GroupNormalization',
    feeds: [[1, 128, 32, 32]],
    constants: [weights(128), weights(128)],
    attributes: { num_groups: 32 },
    opset: 21,
  },
];

const elementwise: OperatorCase[] = [
  unary('Gelu'),
  { ...unary('Gelu', { approximate: 'tanh' }), name: 'Gelu tanh' },
  ...['Erf', 'Tanh', 'Sigmoid', 'Exp'].map((op) => unary(op)),
  { name: 'Pow 2', op: 'Pow', feeds: [HIDDEN], constants: [tensor('float32', [], [2])] },
  {
    name: 'Pow 1.7',
    op: 'Pow',
    feeds: [(name, random) => uniformFloats(name, HIDDEN, random)],
    constants: [tensor('float32', [], [1.7])],
  },
  { name: 'Pow of two', op: 'Pow', feeds: [(name, random) => uniformFloats(name, HIDDEN, random), HIDDEN] },
  { name: 'Add', op: 'Add', feeds: [HIDDEN, HIDDEN] },
  { name: 'Add one per row', op: 'Add', feeds: [HIDDEN, [1, 128, 1]] },
  { name: 'Add bias', op: 'Add', feeds: [HIDDEN, [768]] },
  { name: 'Add one per channel', op: 'Add', feeds: [MAP, [64, 1, 1]] },
  {
    name: 'Add outer',
    op: 'Add',
    feeds: [
      [512, 1],
      [1, 512],
    ],
  },
  { name: 'Where', op: 'Where', feeds: [booleans(HIDDEN), HIDDEN, HIDDEN] },
  {
    name: 'Where mask',
    op: 'Where',
    feeds: [booleans([1, 1, 128, 128]), [1, 12, 128, 128]],
    constants: [tensor('float32', [], [-1e9])],
  },
  { name: 'Cast to int32', op: 'Cast', feeds: [HIDDEN], attributes: { to: 6 } },
  { name: 'Cast to int64', op: 'Cast', feeds: [HIDDEN], attributes: { to: 7 } },
  { name: 'Cast to float16', op: 'Cast', feeds: [HIDDEN], attributes: { to: 10 } },
  { name: 'Cast to bool', op: 'Cast', feeds: [HIDDEN], attributes: { to: 9 } },
  { name: 'Cast from bool', op: 'Cast', feeds: [booleans(HIDDEN)], attributes: { to: 1 } },
  { name: 'Cast from int64', op: 'Cast', feeds: [indices(HIDDEN, 1000)], attributes: { to: 1 } },
];

const movement: OperatorCase[] = [
  ...[
    [0, 2, 1, 3],
    [0, 1, 3, 2],
    [0, 2, 3, 1],
    [0, 3, 1, 2],
    [3, 2, 1, 0],
  ].map((perm) => ({
    name: `Transpose ${perm.join('')}`,
    op: 'Transpose',
    feeds: [VOLUME],
    attributes: { perm },
  })),
  { name: 'Concat channels', op: 'Concat', feeds: [MAP, MAP], attributes: { axis: 1 } },
  {
    name: 'Concat last',
    op: 'Concat',
    feeds: [
      [512, 256],
      [512, 64],
    ],
    attributes: { axis: 1 },
  },
  { name: 'Slice rows', op: 'Slice', feeds: [[512, 768]], constants: [i64(10), i64(500), i64(0)] },
  { name: 'Slice columns', op: 'Slice', feeds: [[512, 768]], constants: [i64(64), i64(640), i64(1)] },
  { name: 'Slice every second', op: 'Slice', feeds: [MAP], constants: [i64(0, 0), i64(56, 56), i64(2, 3), i64(2, 2)] },
  { name: 'Gather rows', op: 'Gather', feeds: [[4000, 256], indices([512], 4000)] },
  { name: 'Gather columns', op: 'Gather', feeds: [[256, 1000], indices([512], 1000)], attributes: { axis: 1 } },
  { name: 'GatherND', op: 'GatherND', feeds: [[64, 64, 64], indices([4096, 2], 64)] },
  { name: 'ScatterND', op: 'ScatterND', feeds: [[64, 64, 64], distinctPairs([1024, 2], 64), [1024, 64]] },
  { name: 'Pad constant', op: 'Pad', feeds: [MAP], constants: [i64(0, 0, 1, 1, 0, 0, 1, 1)] },
  {
    name: 'Pad reflect',
    op: 'Pad',
    feeds: [MAP],
    constants: [i64(0, 0, 3, 3, 0, 0, 3, 3)],
    attributes: { mode: 'reflect' },
  },
];

const reductions: OperatorCase[] = [
  ...['ReduceMean', 'ReduceMax'].flatMap((op) =>
    [0, 1, 2, 3].map((axis) => ({ name: `${op} axis ${axis}`, op, feeds: [[16, 32, 32, 64]], constants: [i64(axis)] })),
  ),
  { name: 'ReduceSum axes 1 and 3', op: 'ReduceSum', feeds: [[7, 33, 31, 65]], constants: [i64(1, 3)] },
  { name: 'ReduceMin all', op: 'ReduceMin', feeds: [[3, 5, 7, 11, 63]], attributes: { keepdims: 0 } },
  { name: 'ReduceL2 last', op: 'ReduceL2', feeds: [[4, 127, 257]], constants: [i64(-1)] },
  { name: 'ReduceLogSumExp first', op: 'ReduceLogSumExp', feeds: [[128, 1000]], constants: [i64(0)] },
  { name: 'ReduceSum int64', op: 'ReduceSum', feeds: [indices([32, 64, 65], 1000)], constants: [i64(1)] },
  { name: 'ArgMax last', op: 'ArgMax', feeds: [[128, 4000]], attributes: { axis: -1 } },
  { name: 'ArgMax channels', op: 'ArgMax', feeds: [[1, 21, 128, 128]], attributes: { axis: 1 } },
  { name: 'TopK 5 of 1000', op: 'TopK', feeds: [[64, 1000]], constants: [i64(5)], outputs: 2 },
  { name: 'TopK 200 of 8732', op: 'TopK', feeds: [[4, 8732]], constants: [i64(200)], outputs: 2 },
  { name: 'CumSum last', op: 'CumSum', feeds: [[512, 512]], constants: [tensor('int64', [], [1])] },
  {
    name: 'CumSum middle exclusive reverse',
    op: 'CumSum',
    feeds: [[7, 129, 65]],
    constants: [tensor('int64', [], [1])],
    attributes: { exclusive: 1, reverse: 1 },
  },
  { name: 'CumSum int64', op: 'CumSum', feeds: [indices([255, 257], 1000)], constants: [tensor('int64', [], [0])] },
  { name: 'CumSum first', op: 'CumSum', feeds: [[512, 512]], constants: [tensor('int64', [], [0])] },
];

const resize = (name: string, attributes: AttributeInputs, scale: number): OperatorCase => ({
  name: `Resize ${name}`,
  op: 'Resize',
  feeds: [[1, 32, 48, 48]],
  constants: [null, f32(1, 1, scale, scale)],
  attributes,
});

const spatial: OperatorCase[] = [
  resize('nearest', { mode: 'nearest', coordinate_transformation_mode: 'asymmetric', nearest_mode: 'floor' }, 2),
  {
    ...resize('nearest of a neck', { mode: 'nearest', coordinate_transformation_mode: 'asymmetric' }, 2),
    feeds: [[1, 256, 20, 20]],
  },
  resize('linear', { mode: 'linear' }, 2),
  resize('cubic', { mode: 'cubic' }, 2),
  resize('linear antialiased', { mode: 'linear', antialias: 1 }, 0.4),
  {
    name: 'MaxPool 3×3/2',
    op: 'MaxPool',
    feeds: [[1, 64, 112, 112]],
    attributes: { kernel_shape: [3, 3], strides: [2, 2], pads: [1, 1, 1, 1] },
  },
  {
    name: 'MaxPool 5×5',
    op: 'MaxPool',
    feeds: [[1, 256, 20, 20]],
    attributes: { kernel_shape: [5, 5], pads: [2, 2, 2, 2] },
  },
  {
    name: 'MaxPool 2×2/2',
    op: 'MaxPool',
    feeds: [[1, 64, 112, 112]],
    attributes: { kernel_shape: [2, 2], strides: [2, 2] },
  },
  {
    name: 'AveragePool 3×3',
    op: 'AveragePool',
    feeds: [MAP],
    attributes: { kernel_shape: [3, 3], pads: [1, 1, 1, 1] },
  },
  {
    name: 'AveragePool 2×2/2',
    op: 'AveragePool',
    feeds: [[1, 64, 112, 112]],
    attributes: { kernel_shape: [2, 2], strides: [2, 2] },
  },
  {
    name: 'ConvTranspose 2×2/2',
    op: 'ConvTranspose',
    feeds: [[1, 64, 32, 32]],
    constants: [weights(64, 32, 2, 2)],
    attributes: { strides: [2, 2] },
  },
  {
    name: 'ConvTranspose 4×4/2',
    op: 'ConvTranspose',
    feeds: [[1, 64, 16, 16]],
    constants: [weights(64, 64, 4, 4)],
    attributes: { strides: [2, 2], pads: [1, 1, 1, 1] },
  },
  {
    name: 'GridSample of 3 channels',
    op: 'GridSample',
    feeds: [[1, 3, 256, 256], grid([1, 256, 256, 2])],
  },
  {
    name: 'RoiAlign 7×7',
    op: 'RoiAlign',
    feeds: [[1, 64, 50, 50], regions(100, 800), indices([100], 1)],
    attributes: { output_height: 7, output_width: 7, sampling_ratio: 2, spatial_scale: 0.0625 },
  },
  { name: 'GridSample of 2 maps', op: 'GridSample', feeds: [[2, 64, 32, 32], grid([2, 32, 32, 2])] },
  { name: 'GridSample bilinear', op: 'GridSample', feeds: [[1, 32, 64, 64], grid([1, 64, 64, 2])] },
  {
    name: 'GridSample nearest',
    op: 'GridSample',
    feeds: [[1, 32, 64, 64], grid([1, 64, 64, 2])],
    attributes: { mode: 'nearest' },
  },
];

function suppression(name: string, classes: number, count: number): OperatorCase {
  return {
    name: `NonMaxSuppression ${name}`,
    op: 'NonMaxSuppression',
    feeds: [boxes(count), (name, random) => uniformFloats(name, [1, classes, count], random)],
    constants: [i64(100), f32(0.5), f32(0.2)],
  };
}

/** Regions in a square of `end` pixels, as corners [x, y, x, y]. */
function regions(count: number, end: number): Feed {
  return (name, random) => ({
    name,
    type: 'float32',
    dims: [count, 4],
    data: Float32Array.from({ length: 4 * count }, (_, i) => (i % 4 < 2 ? 0.5 * random() : 0.5 + 0.5 * random()) * end),
  });
}

const products: OperatorCase[] = [
  ...(
    [
      ['bij,bjk->bik', [4, 128, 64], [4, 64, 128]],
      ['bhid,bhjd->bhij', [1, 8, 128, 64], [1, 8, 128, 64]],
      ['bid,de->bie', [4, 128, 256], [256, 128]],
      ['i,j->ij', [1024], [512]],
      ['bhij->bij', [4, 8, 128, 128]],
    ] as const
  ).map(([equation, ...feeds]) => ({ name: `Einsum ${equation}`, op: 'Einsum', feeds, attributes: { equation } })),
  {
    name: 'LSTM 32 steps of 128',
    op: 'LSTM',
    feeds: [[32, 1, 128]],
    constants: [weights(1, 512, 128), weights(1, 512, 128), weights(1, 1024)],
    attributes: { hidden_size: 128 },
    outputs: 1,
  },
  suppression('of 100', 1, 100),
  suppression('of 1000', 4, 1000),
  suppression('of 8400', 80, 8400),
];

export const cases: readonly OperatorCase[] = [
  ...normalizations,
  ...elementwise,
  ...movement,
  ...reductions,
  ...spatial,
  ...products,
  ...integerProducts,
  ...nBitProducts,
];

type Feed = (name: string, random: Random) => NamedTensor;

function booleans(dims: number[]): Feed {
  return (name, random) => ({
    ...uniformFloats(name, dims, random),
    type: 'bool',
    data: Uint8Array.from({ length: size(dims) }, () => Number(random() < 0.5)),
  });
}

function indices(dims: number[], end: number): Feed {
  return (name, random) => randomIntegers(name, dims, end, random);
}

/** Distinct rows of two indices below `end`: runtimes may write equal rows in different orders. */
function distinctPairs(dims: [number, 2], end: number): Feed {
  return (name) => ({
    name,
    type: 'int64',
    dims,
    data: BigInt64Array.from({ length: 2 * dims[0] }, (_, i) => {
      const pair = ((i >> 1) * 2741) % (end * end);
      return BigInt(i % 2 ? pair % end : Math.floor(pair / end));
    }),
  });
}

/** Positions that reach slightly beyond the image's borders. */
function grid(dims: number[]): Feed {
  return (name, random) => {
    const { data, ...rest } = uniformFloats(name, dims, random);
    return { ...rest, data: (data as Float32Array).map((x) => 2.2 * x - 1.1) };
  };
}

/** Corners of boxes that are a tenth of the image wide. */
function boxes(count: number): Feed {
  return (name, random) => ({
    name,
    type: 'float32',
    dims: [1, count, 4],
    data: Float32Array.from(
      Array.from({ length: count }, () => {
        const [y, x] = [random(), random()];
        return [y, x, y + 0.05 + 0.1 * random(), x + 0.05 + 0.1 * random()];
      }).flat(),
    ),
  });
}

const size = (dims: readonly number[]) => dims.reduce((a, b) => a * b, 1);

/** The feeds of a case, the same in each call. */
export function feedsOf({ feeds }: OperatorCase): NamedTensor[] {
  const random = seeded();
  return feeds.map((feed, i) =>
    typeof feed === 'function' ? feed(`x${i}`, random) : randomFloats(`x${i}`, [...feed], random),
  );
}

/** The bytes of the case's model. */
export function modelOf(operatorCase: OperatorCase): Uint8Array {
  const { name, op, domain = '', constants = [], attributes = {}, outputs = 1, opset = 20 } = operatorCase;
  const b = modelBuilder({ opset, name, ...(domain && { opsets: { [domain]: 1 } }) });
  const fed = feedsOf(operatorCase).map(({ name, type, dims }) => b.input(name, type as ElementType, dims));
  const inputs: (Value | null)[] = [...fed, ...constants.map((value, i) => value && b.constant(`c${i}`, value))];
  const made = b.node(op, inputs, attributes, { domain, outputs });
  for (const [i, value] of made.entries()) b.output(`y${i}`, value);
  return b.toBytes();
}
