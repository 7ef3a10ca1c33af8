import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import {
  type Model,
  parseModel,
  type QuantizeStaticOptions,
  quantizeDynamic,
  quantizeStatic,
  saveModel,
  sortNodes,
} from '../../../src/tools/index.js';
import { choicesOf } from '../../fuzz/graphs/choices.js';
import { f32 } from '../../values.js';

/** Runs a model elsewhere: the numbers of its one output. */
export type Run = (bytes: Uint8Array, x: TensorValue) => Promise<Float32Array>;

interface Subject {
  readonly name: string;
  readonly model: Model;
  readonly dims: readonly number[];
}

/** Numbers as text, which a seed repeats. */
function numbers(seed: number, count: number, scale = 1): string {
  const choices = choicesOf(seed);
  return Array.from({ length: count }, () => ((choices.next() * 2 - 1) * scale).toFixed(4)).join();
}

const MAP = [1, 4, 10, 10];

const text = (body: string, x: readonly number[], constants: string, opset: number) =>
  `<ir_version: 8, opset_import: ["" : ${opset}]> g (float[${x}] x) => (float[${x.map((_, i) => `y${i}`)}] y) <${constants}> ${body}`;

const KERNEL = `float[6,4,3,3] k = {${numbers(1, 216, 0.4)}}, float[6] kb = {${numbers(2, 6)}}`;
const POINT = `float[4,6,1,1] p = {${numbers(3, 24, 0.6)}}`;

/** Bodies by name: `x` is a map or a matrix. */
const BODIES: readonly (readonly [name: string, dims: readonly number[], constants: string, body: string])[] = [
  ['convolution', MAP, KERNEL, '{ c = Conv<pads=[1,1,1,1]>(x, k, kb) y = Relu(c) }'],
  [
    'two convolutions',
    MAP,
    `${KERNEL}, ${POINT}`,
    '{ c = Conv<pads=[1,1,1,1]>(x, k, kb) r = Relu(c) d = Conv(r, p) y = Add(d, x) }',
  ],
  [
    'convolutions, not in order',
    MAP,
    `${KERNEL}, ${POINT}`,
    '{ y = Add(d, x) d = Conv(r, p) r = Relu(c) c = Conv<pads=[1,1,1,1]>(x, k, kb) }',
  ],
  [
    'depthwise',
    MAP,
    `float[4,1,3,3] k = {${numbers(4, 36)}}`,
    '{ c = Conv<group=4, pads=[1,1,1,1]>(x, k) y = Clip(c) }',
  ],
  ...['nearest', 'linear', 'cubic'].map(
    (mode) =>
      [
        `resize, ${mode}`,
        MAP,
        `${KERNEL}, float[4] s = {1,1,2,2}`,
        `{ c = Conv<pads=[1,1,1,1]>(x, k, kb) y = Resize<mode="${mode}">(c, , s) }`,
      ] as const,
  ),
  [
    'resize, no half pixel',
    MAP,
    `${KERNEL}, float[4] s = {1,1,2,2}`,
    '{ c = Conv<pads=[1,1,1,1]>(x, k, kb) y = Resize<mode="linear", coordinate_transformation_mode="align_corners">(c, , s) }',
  ],
  [
    'pools',
    MAP,
    KERNEL,
    '{ c = Conv<pads=[1,1,1,1]>(x, k, kb) m = MaxPool<kernel_shape=[2,2], strides=[2,2]>(c) a = AveragePool<kernel_shape=[2,2]>(m) y = GlobalAveragePool(a) }',
  ],
  [
    'concatenation',
    MAP,
    KERNEL,
    '{ c = Conv<pads=[1,1,1,1]>(x, k, kb) s = Sigmoid(c) z = Concat<axis=1>(s, x) y = LeakyRelu<alpha=0.1>(z) }',
  ],
  [
    'transposed convolution',
    MAP,
    `float[4,6,3,3] k = {${numbers(1, 216, 0.4)}}, float[6] kb = {${numbers(2, 6)}}`,
    '{ c = ConvTranspose(x, k, kb) y = Relu(c) }',
  ],
  [
    'parts',
    MAP,
    `${KERNEL}, int64[2] sizes = {2,4}`,
    '{ c = Conv<pads=[1,1,1,1]>(x, k, kb) a, b = Split<axis=1>(c, sizes) s = Softmax(b) y = Concat<axis=1>(s, a) }',
  ],
  [
    'normalised',
    [5, 8],
    `float[8] w = {${numbers(7, 8)}}, float[8] b = {${numbers(12, 8)}}`,
    '{ n = LayerNormalization(x, w, b) y = Mul(n, w) }',
  ],
  [
    'batch normalised',
    MAP,
    `${KERNEL}, float[6] w = {${numbers(7, 6)}}, float[6] b = {${numbers(12, 6)}}, float[6] m = {${numbers(13, 6)}}, float[6] v = {1,2,1,3,1,2}`,
    '{ c = Conv<pads=[1,1,1,1]>(x, k, kb) y = BatchNormalization(c, w, b, m, v) }',
  ],
  [
    'instance normalised',
    MAP,
    `${KERNEL}, float[6] w = {${numbers(7, 6)}}, float[6] b = {${numbers(12, 6)}}`,
    '{ c = Conv<pads=[1,1,1,1]>(x, k, kb) y = InstanceNormalization(c, w, b) }',
  ],
  [
    'padding',
    MAP,
    `${KERNEL}, int64[8] pads = {0,0,1,1,0,0,1,1}`,
    '{ c = Conv<pads=[1,1,1,1]>(x, k, kb) y = Pad(c, pads) }',
  ],
  ['product', [5, 8], `float[8,6] w = {${numbers(5, 48)}}`, '{ m = MatMul(x, w) y = Relu(m) }'],
  ['product of 3 axes', [2, 5, 8], `float[8,6] w = {${numbers(5, 48)}}`, '{ y = MatMul(x, w) }'],
  ['product by 3 axes', [2, 5, 8], `float[2,8,6] w = {${numbers(6, 96)}}`, '{ y = MatMul(x, w) }'],
  ['product by 4 axes', [1, 2, 5, 8], `float[1,2,8,6] w = {${numbers(6, 96)}}`, '{ y = MatMul(x, w) }'],
  ['product by a vector', [5, 8], `float[8] w = {${numbers(7, 8)}}`, '{ y = MatMul(x, w) }'],
  ['product of a constant', [8, 5], `float[6,8] w = {${numbers(5, 48)}}`, '{ y = MatMul(w, x) }'],
  ['Gemm', [5, 8], `float[8,6] w = {${numbers(8, 48)}}, float[6] b = {${numbers(9, 6)}}`, '{ y = Gemm(x, w, b) }'],
  [
    'Gemm, transposed',
    [5, 8],
    `float[6,8] w = {${numbers(8, 48)}}, float[6] b = {${numbers(9, 6)}}`,
    '{ g = Gemm<transB=1>(x, w, b) y = Softmax(g) }',
  ],
  [
    'product of sums',
    [5, 8],
    `float[8,8] w = {${numbers(10, 64)}}, int64[2] d = {4,10}`,
    '{ s = Add(x, x) m = MatMul(s, w) n = Mul(m, x) t = Transpose<perm=[1,0]>(n) y = Reshape(t, d) }',
  ],
  [
    'gather',
    [5, 8],
    `float[9,8] table = {${numbers(11, 72)}}, int64[5] i = {1,3,5,7,0}`,
    '{ t = Gather(table, i) y = Add(t, x) }',
  ],
];

const subjects = (opset: number): Subject[] =>
  BODIES.map(([name, dims, constants, body]) => ({
    name,
    dims,
    model: parseModel(text(body, dims, constants, opset)),
  }));

type Change = (model: Model, samples: readonly Record<string, TensorValue>[]) => Promise<Model>;

interface Way {
  readonly name: string;
  readonly change: Change;
}

const BOOLEANS = [false, true];

const DYNAMIC: readonly Way[] = BOOLEANS.flatMap((perChannel) =>
  (['int8', 'uint8', undefined] as const).flatMap((weightType) =>
    BOOLEANS.map(
      (convolutions): Way => ({
        name: `dynamic, ${weightType}${perChannel ? ', per channel' : ''}${convolutions ? ', Conv too' : ''}`,
        change: (model) =>
          quantizeDynamic(model, {
            perChannel,
            ...(weightType && { weightType }),
            ...(convolutions && { types: ['Conv', 'MatMul', 'Gemm', 'Gather'] }),
          }),
      }),
    ),
  ),
);

const TYPES: readonly Pick<QuantizeStaticOptions, 'activationType' | 'weightType'>[] = [
  { activationType: 'uint8', weightType: 'int8' },
  { activationType: 'uint8', weightType: 'uint8' },
  { activationType: 'int8', weightType: 'int8' },
];

const STATIC: readonly Way[] = (['QDQ', 'QOperator'] as const).flatMap((format) =>
  BOOLEANS.flatMap((perChannel) =>
    TYPES.map(
      (types): Way => ({
        name: `${format}, ${types.activationType} by ${types.weightType}${perChannel ? ', per channel' : ''}`,
        change: (model, samples) => quantizeStatic(model, samples, { format, perChannel, ...types }),
      }),
    ),
  ),
);

export interface Outcome {
  readonly subject: string;
  readonly way: string;
  /** Relative error; what the runtime said instead where it refused. */
  readonly error: number | string;
}

function relativeError(actual: Float32Array, expected: Float32Array): number {
  if (actual.length !== expected.length) return Number.POSITIVE_INFINITY;
  const norm = Math.hypot(...expected);
  return Math.hypot(...actual.map((y, i) => y - (expected[i] as number))) / norm;
}

/** Each model quantised in each way, or in every `stride`th, beginning with another way each time; and run. */
export async function* sweep(run: Run, opset = 17, stride = 1): AsyncGenerator<Outcome> {
  const ways = [...DYNAMIC, ...STATIC];
  for (const [at, { name, model, dims }] of subjects(opset).entries()) {
    const count = dims.reduce((n, d) => n * d, 1);
    const sample = (seed: number) => {
      const choices = choicesOf(seed);
      return f32(
        dims,
        Float32Array.from({ length: count }, () => choices.next() * 2 - 1),
      );
    };
    const samples = [1, 2, 3, 4].map((seed) => ({ x: sample(seed) }));
    const expected = await run(await saveModel(sortNodes(model)), sample(1));
    for (const { name: way, change } of ways.filter((_, i) => (i + at) % stride === 0)) {
      const found = await change(model, samples)
        .then(async (made) => relativeError(await run(await saveModel(made), sample(1)), expected))
        .catch((error: Error) => error.message);
      yield { subject: name, way, error: found };
    }
  }
}
