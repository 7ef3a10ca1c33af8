import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readValue } from '../../../src/model/read-values.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import {
  fromTensorFlowJS,
  loadModel,
  type Model,
  parseModel,
  saveModel,
  type TensorFlowJSModel,
  TranslationError,
  toTensorFlowJS,
} from '../../../src/tools/index.js';
import { shared, sharedModels } from '../../shared-data.js';
import { byTier, sampled } from '../../tier.js';
import { assertClose, assertSound, runHere } from './comparison.js';
import { GRAPH_CASES } from './graph-cases.js';
import { artifactsOf, of, random } from './graph-models.js';
import { runGraph, type TensorFlow, tensorflow } from './tensorflow.js';

const every = suite('export to TensorFlow.js');
const test = sampled(every, { ci: 1 / 4 });
const witness = tensorflow() as TensorFlow;

type Values = Readonly<Record<string, TensorValue>>;
interface Signature {
  readonly inputs: Record<string, { readonly name: string }>;
  readonly outputs: Record<string, { readonly name: string }>;
}

const nodeOf = ({ name }: { readonly name: string }) => name.replace(/:0$/, '');
const narrow = (value: TensorValue): TensorValue =>
  value.type === 'int64' ? of('int32', value.dims, Array.from(value.data as unknown as bigint[], Number)) : value;

/** What TensorFlow.js makes of a model that was exported. */
async function runExported(made: TensorFlowJSModel, feeds: Values): Promise<Values> {
  const { inputs, outputs } = made.signature as Signature;
  const given = Object.entries(feeds).map(([name, value]) => [nodeOf(inputs[name] as { name: string }), narrow(value)]);
  const names = Object.keys(outputs);
  const results = await runGraph(
    witness,
    made,
    Object.fromEntries(given),
    names.map((name) => nodeOf(outputs[name] as { name: string })),
  );
  return Object.fromEntries(names.map((name, i) => [name, results[i] as TensorValue]));
}

async function assertExports(model: Model, feeds: Values, tolerance = 2e-5): Promise<TensorFlowJSModel> {
  const expected = await runHere((await saveModel(model)) as Uint8Array, feeds);
  const made = await toTensorFlowJS(model);
  const results = await runExported(made, feeds);
  for (const [name, value] of Object.entries(expected)) assertClose(results[name], value, name, tolerance);
  return made;
}

const image = { x: random([1, 4, 7, 9]) };
const fill = (dims: number[], seed = 3) => Array.from(random(dims, -1, 1, seed).data as Float32Array).join(',');
const constant = (name: string, ...dims: number[]) => `float[${dims}] ${name} = {${fill(dims)}}`;

/** Operators that TensorFlow has otherwise: a graph of x, constants, and what it computes. */
const CASES: readonly (readonly [name: string, constants: string, nodes: string, feeds?: Values])[] = [
  ['Conv, no padding', constant('w', 6, 4, 3, 2), 'y = Conv (x, w)'],
  ['Conv, padding that is SAME', constant('w', 6, 4, 3, 3), 'y = Conv <pads = [1, 1, 1, 1]> (x, w)'],
  [
    'Conv, any padding, strides and bias',
    `${constant('w', 6, 4, 3, 3)}, ${constant('b', 6)}`,
    'y = Conv <pads = [2, 0, 1, 3], strides = [2, 1]> (x, w, b)',
  ],
  ['Conv, dilated', constant('w', 6, 4, 2, 2), 'y = Conv <dilations = [2, 3]> (x, w)'],
  ['Conv, auto_pad', constant('w', 6, 4, 3, 2), 'y = Conv <auto_pad = "SAME_LOWER"> (x, w)'],
  ['Conv by channels', constant('w', 8, 1, 3, 3), 'y = Conv <group = 4, pads = [1, 1, 1, 1], strides = [2, 2]> (x, w)'],
  ['Conv in groups', constant('w', 6, 2, 3, 3), 'y = Conv <group = 2, pads = [1, 1, 1, 1]> (x, w)'],
  ['Conv of rows', constant('w', 5, 4, 3), 'y = Conv <pads = [2, 1], strides = [2]> (x, w)', { x: random([2, 4, 9]) }],
  [
    'Conv of volumes',
    constant('w', 3, 2, 2, 3, 2),
    'y = Conv <pads = [1, 0, 0, 0, 1, 0]> (x, w)',
    { x: random([1, 2, 4, 5, 6]) },
  ],
  [
    'ConvTranspose',
    constant('w', 4, 5, 3, 3),
    'y = ConvTranspose <strides = [2, 2], pads = [1, 0, 0, 1], output_padding = [1, 0]> (x, w)',
  ],
  [
    'ConvTranspose, auto_pad',
    `${constant('w', 4, 5, 3, 3)}, ${constant('b', 5)}`,
    'y = ConvTranspose <strides = [2, 2], auto_pad = "SAME_UPPER"> (x, w, b)',
  ],
  [
    'ConvTranspose that pads',
    constant('w', 4, 5, 2, 2),
    'y = ConvTranspose <strides = [3, 3], output_padding = [1, 2]> (x, w)',
  ],
  ...['MaxPool', 'AveragePool'].flatMap((op) =>
    [
      'kernel_shape = [2, 2]',
      'kernel_shape = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]',
      'kernel_shape = [3, 2], pads = [2, 0, 0, 1]',
      'kernel_shape = [2, 2], strides = [2, 2], ceil_mode = 1',
    ].map((attributes) => [`${op} ${attributes}`, '', `y = ${op} <${attributes}> (x)`] as const),
  ),
  [
    'AveragePool that counts pads',
    '',
    'y = AveragePool <kernel_shape = [3, 3], pads = [1, 1, 1, 1], count_include_pad = 1> (x)',
  ],
  [
    'MaxPool of rows',
    '',
    'y = MaxPool <kernel_shape = [3], strides = [2], pads = [1, 1]> (x)',
    { x: random([2, 4, 9]) },
  ],
  [
    'MaxPool of volumes',
    '',
    'y = MaxPool <kernel_shape = [2, 2, 2], strides = [1, 2, 2]> (x)',
    { x: random([1, 2, 4, 5, 6]) },
  ],
  ['GlobalAveragePool', '', 'y = GlobalAveragePool (x)'],
  ['GlobalMaxPool', '', 'y = GlobalMaxPool (x)'],
  ['LRN', '', 'y = LRN <size = 3, alpha = 0.2, beta = 0.6, bias = 1.5> (x)'],
  [
    'BatchNormalization',
    'float[4] s = {1, 2, 3, 0.5}, float[4] b = {0, -1, 1, 2}, float[4] m = {0.1, 0.2, 0, -1}, float[4] v = {1, 2, 0.5, 3}',
    'y = BatchNormalization <epsilon = 0.01> (x, s, b, m, v)',
  ],
  [
    'InstanceNormalization',
    'float[4] s = {1, 2, 3, 0.5}, float[4] b = {0, -1, 1, 2}',
    'y = InstanceNormalization (x, s, b)',
  ],
  [
    'LayerNormalization',
    `${constant('s', 7, 9)}, ${constant('b', 7, 9)}`,
    'y = LayerNormalization <axis = 2> (x, s, b)',
  ],
  ...[
    'mode = "linear", coordinate_transformation_mode = "half_pixel"',
    'mode = "linear", coordinate_transformation_mode = "align_corners"',
    'mode = "nearest", coordinate_transformation_mode = "asymmetric", nearest_mode = "floor"',
    'mode = "nearest"',
  ].map(
    (attributes) =>
      [`Resize ${attributes}`, 'float[4] k = {1, 1, 2, 3}', `y = Resize <${attributes}> (x, , k)`] as const,
  ),
  ['Resize to sizes', 'int64[4] k = {1, 4, 5, 20}', 'y = Resize <mode = "linear"> (x, , , k)'],
  ['DepthToSpace', '', 'y = DepthToSpace <blocksize = 2> (x)'],
  ['DepthToSpace by channels', '', 'y = DepthToSpace <blocksize = 2, mode = "CRD"> (x)'],
  ['Softmax over channels', '', 'y = Softmax <axis = 1> (x)'],
  ['LogSoftmax', '', 'y = LogSoftmax (x)'],
  ['Flatten', '', 'y = Flatten <axis = 2> (x)'],
  [
    'Gemm',
    `${constant('w', 5, 9)}, ${constant('c', 5)}`,
    'f = Flatten <axis = 3> (x) y = Gemm <transB = 1, alpha = 0.5, beta = 2.0> (f, w, c)',
  ],
  ['MatMul of stacks', constant('w', 9, 3), 'y = MatMul (x, w)'],
  [
    'Slice',
    'int64[3] b = {-1, 1, 6}, int64[3] e = {-9223372036854775807, 100, -9}, int64[3] a = {2, -1, 1}, int64[3] s = {-2, 3, 1}, int64[1] z = {0}',
    'p = Slice (x, b, e, a, s) n = ReduceSum (p) y = Add (x, n)',
  ],
  [
    'Slice backwards',
    'int64[2] b = {-1, 1}, int64[2] e = {-9223372036854775807, 100}, int64[2] a = {2, -1}, int64[2] s = {-2, 3}',
    'y = Slice (x, b, e, a, s)',
  ],
  ['Split', 'int64[3] s = {2, 3, 4}', 'p, q, y = Split <axis = 3> (x, s)'],
  ['Split evenly', '', 'p, y = Split <axis = 1, num_outputs = 2> (x)'],
  ['Pad', 'int64[8] p = {0, 1, 2, 0, 0, 0, 1, 3}, float v = {5}', 'y = Pad (x, p, v)'],
  ['Pad by reflection', 'int64[8] p = {0, 1, 2, 0, 0, 0, 1, 3}', 'y = Pad <mode = "reflect"> (x, p)'],
  ['Expand', 'int64[5] s = {2, 1, 4, 1, 9}', 'y = Expand (x, s)'],
  ['Tile', 'int64[4] s = {2, 1, 3, 1}', 'y = Tile (x, s)'],
  ['Gather', 'int64[2,2] i = {0, 3, 2, -1}', 'y = Gather <axis = 2> (x, i)'],
  [
    'Concat and Transpose',
    '',
    't = Transpose <perm = [0, 1, 3, 2]> (x) u = Transpose <perm = [0, 1, 3, 2]> (x) c = Concat <axis = 2> (t, u) y = Relu (c)',
  ],
  ['Squeeze and Unsqueeze', 'int64[1] a = {0}, int64[2] b = {-1, 1}', 's = Squeeze (x, a) y = Unsqueeze (s, b)'],
  ['Reshape', 'int64[3] s = {0, -1, 3}', 'y = Reshape (x, s)'],
  [
    'Reshape by a shape',
    'int64[1] a = {3}',
    's = Shape (x) g = Gather (s, a) n = Constant <value_ints = [-1]> () c = Concat <axis = 0> (n, g) y = Reshape (x, c)',
  ],
  ...['ReduceMean', 'ReduceSum', 'ReduceMax', 'ReduceMin', 'ReduceProd', 'ReduceL2', 'ReduceSumSquare'].map(
    (op) => [op, 'int64[2] a = {1, -1}', `y = ${op} <keepdims = 0> (x, a)`] as const,
  ),
  ['ArgMax', '', 'y = ArgMax <axis = 1> (x)'],
  ['TopK', 'int64[1] k = {3}', 'v, y = TopK (x, k)'],
  ['CumSum', 'int64 a = {2}', 'y = CumSum <reverse = 1> (x, a)'],
  [
    'Where and comparisons',
    '',
    'z = Constant <value = float {0}> () c = Greater (x, z) n = Not (c) m = Neg (x) y = Where (n, m, x)',
  ],
  [
    'Clip, Cast and Div of integers',
    'int32 d = {-3}',
    'h = Constant <value = float {7}> () s = Mul (x, h) i = Cast <to = 6> (s) q = Div (i, d) y = Cast <to = 1> (q)',
  ],
  [
    'Mod of integers',
    'int32 d = {-3}',
    'h = Constant <value = float {7}> () s = Mul (x, h) i = Cast <to = 6> (s) q = Mod (i, d) y = Cast <to = 1> (q)',
  ],
  ['Sum, Mean, Max and Min', '', 'n = Neg (x) s = Sum (x, n, x) m = Mean (s, n) a = Max (m, n) y = Min (a, x, s)'],
  [
    'activations',
    '',
    'a = Elu (x) b = LeakyRelu <alpha = 0.3> (a) c = Selu (b) d = HardSigmoid (c) e = HardSwish (x) f = Softsign (e) g = Softplus (f) y = Add (d, g)',
  ],
  ['PRelu', 'float[4,1,1] s = {0.1, 0.2, -1, 3}', 'y = PRelu (x, s)'],
  ['NonZero', '', 'z = Constant <value = float {0}> () c = Less (x, z) i = NonZero (c) y = Cast <to = 1> (i)'],
  ['ConstantOfShape', '', 's = Shape (x) o = ConstantOfShape <value = float[1] {2}> (s) y = Mul (x, o)'],
];

const textOf = (constants: string, nodes: string, feeds: Values, isOpen: boolean) => {
  const { dims } = feeds.x as TensorValue;
  const sizes = isOpen ? dims.map((size, axis) => (axis === 0 ? 'n' : size)) : dims;
  const output = nodes.includes('ArgMax') || nodes.includes('TopK') ? 'int64[]' : 'float[]';
  return `<ir_version: 8, opset_import: ["" : 18]> g (float[${sizes}] x) => (${output} y) <${constants}> { ${nodes} }`;
};

if (witness)
  for (const [name, constants, nodes, feeds = image] of CASES)
    for (const isOpen of [false, true])
      test(`${name}${isOpen ? ', any batch' : ''}`, async () => {
        await assertExports(parseModel(textOf(constants, nodes, feeds, isOpen)), feeds);
      });

/** Whole models: what goes in and what comes out. */
const MODELS = byTier({
  quick: ['digits_cnn_trained'],
  ci: ['digits_cnn_trained'],
  all: ['digits_cnn_trained', 'mobilenet_v3_small', 'bert_mini', 'gpt_mini'],
});
const models = shared('models');
if (witness)
  for (const name of sharedModels(...MODELS))
    every(name, async () => {
      const model = await loadModel(`${models}/${name}/model.onnx`);
      const read = (i: number) => readValue(readFileSync(`${models}/${name}/test_data_set_0/input_${i}.pb`), 'tensor');
      const feeds = Object.fromEntries(
        (model.proto.graph?.input ?? []).map((input, i) => [input.name, read(i) as TensorValue]),
      );
      const made = await assertExports(model, feeds, 2e-4);
      const back = await fromTensorFlowJS(made);
      await assertSound(back);
      const narrowed = Object.fromEntries(Object.entries(feeds).map(([input, value]) => [input, narrow(value)]));
      const expected = await runHere((await saveModel(model)) as Uint8Array, feeds);
      const results = await runHere((await saveModel(back)) as Uint8Array, narrowed);
      for (const [output, value] of Object.entries(expected)) assertClose(results[output], value, output, 2e-4);
      const transposed = (graph: Model) =>
        graph.proto.graph?.node.filter(({ opType }) => opType === 'Transpose').length ?? 0;
      assert.ok(
        transposed(back) <= transposed(model),
        `${transposed(back)} transpositions are left of ${transposed(model)}`,
      );
    });

/** What goes one way alone. */
const ONE_WAY =
  /^(Atan2|FloorMod|Mod|CropAndResize|GatherV2: batch|Cumsum|DenseBincount|If|IRFFT|RFFT|Complex|LRN|ListDiff|MatrixBandPart|NonMaxSuppressionV4|ScatterNd|SparseToDense|StatelessIf|StatelessWhile|TensorList|TensorScatterUpdate|Unique|While)/;

if (witness)
  for (const given of GRAPH_CASES)
    test(`there and back: ${given.name}`, async () => {
      const signature = { outputs: Object.fromEntries(given.outputs.map((name) => [name, { name }])) };
      const model = await fromTensorFlowJS({ ...artifactsOf(given), signature });
      try {
        await assertExports(model, given.feeds);
      } catch (thrown) {
        if (!(thrown instanceof TranslationError)) throw thrown;
        assert.match(given.name, ONE_WAY, thrown.message);
      }
    });

for (const [type, weights] of [
  ['float16', '15360, 14336, 49152'],
  ['double', '1, 0.5, -2'],
] as const)
  test(`floats of type ${type} become those of 32 bits`, async () => {
    if (!witness) return;
    const model =
      parseModel(`<ir_version: 8, opset_import: ["" : 18]> g (${type}[2,3] x) => (${type}[2,3] y) <${type}[3] w = {${weights}}> {
      m = Mul (x, w) c = Cast <to = ${type === 'double' ? 11 : 10}> (m) y = HardSwish (c) }`);
    const made = await toTensorFlowJS(model);
    const results = await runExported(made, { x: random([2, 3]) });
    const narrowed =
      parseModel(`<ir_version: 8, opset_import: ["" : 18]> g (float[2,3] x) => (float[2,3] y) <float[3] w = {1, 0.5, -2}> {
      m = Mul (x, w) y = HardSwish (m) }`);
    const expected = await runHere((await saveModel(narrowed)) as Uint8Array, { x: random([2, 3]) });
    assertClose(results.y, expected.y as TensorValue, 'y');
  });

test('a refusal names every node', async () => {
  const model = parseModel(`<ir_version: 8, opset_import: ["" : 18]>
    g (float[1,4,4] x, int64[6] p) => (float[] y, float[] z) { a = Det (x) y = Pad <mode = "edge"> (x, p) z = Trilu (x) }`);
  try {
    await toTensorFlowJS(model);
    assert.unreachable();
  } catch (thrown) {
    assert.instance(thrown, TranslationError);
    assert.equal(
      (thrown as TranslationError).obstacles.map(({ operator }) => operator),
      ['Det', 'Trilu', 'Pad'],
    );
  }
});

test('files are what the artifacts say', async () => {
  const { files, weightData } = await toTensorFlowJS(
    parseModel(textOf(constant('w', 6, 4, 3, 3), 'y = Conv (x, w)', image, false)),
  );
  assert.equal([...files.keys()], ['model.json', 'group1-shard1of1.bin']);
  const json = JSON.parse(new TextDecoder().decode(files.get('model.json')));
  assert.equal(json.weightsManifest[0].paths, ['group1-shard1of1.bin']);
  assert.equal(new Uint8Array(weightData as ArrayBuffer), files.get('group1-shard1of1.bin'));
  assert.equal(
    json.signature.outputs.y.tensorShape.dim.map(({ size }: { size: string }) => size),
    ['1', '6', '5', '7'],
  );
});

test.run();
