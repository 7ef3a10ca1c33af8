import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SardonyxError } from '../../../src/index.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import {
  fromTensorFlowJS,
  saveModel,
  type TensorFlowJSArtifacts,
  type TensorFlowJSSource,
  TranslationError,
  type WeightSpec,
} from '../../../src/tools/index.js';
import { assertClose, assertRuns, assertSound, RUNTIMES, runHere } from './comparison.js';
import {
  type Attr,
  artifactsOf,
  b,
  chainOf,
  f,
  fixed,
  floats,
  type GraphCase,
  i,
  list,
  type Operand,
  of,
  random,
  single,
  text,
  type,
} from './graph-models.js';
import { runGraph, tensorflow } from './tensorflow.js';

const test = suite('files of TensorFlow.js');

const FLOAT = { T: type('float32') };
const given = single('AddV2', [random([2, 3]), fixed(random([3]))], FLOAT);
const artifacts = artifactsOf(given);
const sum = of(
  'float32',
  [2, 3],
  Array.from(
    (given.feeds.a as { data: Float32Array }).data,
    (x, i) => x + ((given.weights.b as { data: Float32Array }).data[i % 3] as number),
  ),
);

/** The model as files, its weights cut in two in the middle of a number. */
function filesOf({ weightSpecs, weightData, ...head }: TensorFlowJSArtifacts): Record<string, Uint8Array> {
  const bytes = new Uint8Array(weightData as ArrayBuffer);
  const weightsManifest = [{ paths: ['w/1.bin', 'w/2.bin'], weights: weightSpecs }];
  const json = new TextEncoder().encode(JSON.stringify({ ...head, weightsManifest }));
  return { 'model.json': json, 'w/1.bin': bytes.slice(0, 5), 'w/2.bin': bytes.slice(5) };
}

const files = filesOf(artifacts);
const isRight = async (source: TensorFlowJSSource) =>
  assertRuns(await fromTensorFlowJS(source), given.feeds, [['y', sum]]);

test('artifacts in memory', async () => {
  await isRight(artifacts);
});

test('files by their names', async () => {
  await isRight(files);
});

test('a path, and files beside it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tfjs-'));
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name.replace('w/', '')), bytes);
  const json = new TextDecoder().decode(files['model.json']).replaceAll('w/', '');
  writeFileSync(join(folder, 'model.json'), json);
  await isRight(join(folder, 'model.json'));
  rmSync(join(folder, '2.bin'));
  await refuses(join(folder, 'model.json'), /2\.bin/, 'EXTERNAL_DATA');
  rmSync(folder, { recursive: true });
});

test('an address', async () => {
  const server = createServer(({ url = '' }, response) => {
    const bytes = files[url.slice(1)];
    response.writeHead(bytes ? 200 : 404).end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as { port: number };
  await isRight(`http://localhost:${port}/model.json`);
  server.close();
});

test('files that a user chose', async () => {
  const flat = {
    ...files,
    'model.json': new TextEncoder().encode(new TextDecoder().decode(files['model.json']).replaceAll('w/', '')),
  };
  await isRight(
    Object.entries(flat).map(([name, bytes]) => new File([bytes as Uint8Array<ArrayBuffer>], name.replace('w/', ''))),
  );
});

test('a folder', async () => {
  const handle = (name: string) => ({
    kind: 'file',
    name,
    getFile: async () => new File([files[name] as Uint8Array<ArrayBuffer>], name),
  });
  const inner = { kind: 'directory', getFileHandle: async (name: string) => handle(`w/${name}`) };
  const folder = {
    kind: 'directory',
    getFileHandle: async (name: string) => handle(name),
    getDirectoryHandle: async () => inner,
  };
  await isRight(folder as unknown as FileSystemDirectoryHandle);
});

test('metadata, names, sizes and signatures stay', async () => {
  const signature = {
    inputs: { picture: { name: 'a:0', dtype: 'DT_FLOAT', tensorShape: { dim: [{ size: '-1' }, { size: '3' }] } } },
    outputs: { sum: { name: 'y:0' } },
  };
  const open = artifactsOf(given, true);
  const { proto } = await fromTensorFlowJS({
    ...open,
    signature,
    userDefinedMetadata: { labels: ['a'], note: 'b' },
    generatedBy: 'me',
  });
  assert.equal(
    proto.graph?.input.map(({ name }) => name),
    ['picture'],
  );
  assert.equal(
    proto.graph?.output.map(({ name }) => name),
    ['sum'],
  );
  assert.equal(
    proto.graph?.input[0]?.type?.tensorType?.shape?.dim.map(({ dimParam }) => dimParam),
    ['batch', 'picture_1'],
  );
  assert.equal(
    proto.metadataProps.map(({ key, value }) => [key, value]),
    [
      ['labels', '["a"]'],
      ['note', 'b'],
    ],
  );
  assert.is(proto.producerName, 'me');
});

/** The model with its weight stored as steps of a scale. */
function quantized(dtype: string, data: Uint8Array | Uint16Array, more: object): TensorFlowJSArtifacts {
  const [spec] = artifacts.weightSpecs as [WeightSpec];
  const weightData = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength);
  return { ...artifacts, weightSpecs: [{ ...spec, quantization: { dtype, ...more } }], weightData };
}

const witness = tensorflow();
if (witness)
  for (const [name, made] of [
    ['uint8', quantized('uint8', Uint8Array.of(0, 100, 255), { scale: 0.02, min: -1.5 })],
    ['uint16', quantized('uint16', Uint16Array.of(0, 1000, 65535), { scale: 0.0001, min: -3 })],
    ['float16', quantized('float16', Uint16Array.of(0x3c00, 0xc248, 0x0401), {})],
  ] as const)
    test(`weights of ${name}`, async () => {
      const [expected] = await runGraph(witness, made, given.feeds, ['y']);
      await assertRuns(await fromTensorFlowJS(made), given.feeds, [['y', expected as never]]);
    });

test('text', async () => {
  const words = chainOf(
    { x: random([2]) },
    { t: of('string', [2], ['é', '']) },
    [
      { name: 'y', op: 'Identity', input: ['x'], attr: FLOAT },
      { name: 'z', op: 'Identity', input: ['t'], attr: { T: type('string') } },
    ],
    ['y', 'z'],
  );
  const { proto } = await fromTensorFlowJS(artifactsOf(words));
  assert.equal(
    proto.graph?.initializer
      .find(({ dataType }) => dataType === 8)
      ?.stringData.map((bytes) => new TextDecoder().decode(bytes)),
    ['é', ''],
  );
});

async function refuses(
  source: unknown,
  pattern: RegExp,
  code: SardonyxError['code'] = 'INVALID_MODEL',
): Promise<SardonyxError> {
  try {
    await fromTensorFlowJS(source as TensorFlowJSSource);
  } catch (thrown) {
    if (!(thrown instanceof SardonyxError)) throw thrown;
    assert.match(thrown.message, pattern);
    assert.is(thrown.code, code);
    return thrown;
  }
  throw new Error('nothing was refused');
}

const json = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
const withSpec = (spec: object) => ({ ...artifacts, weightSpecs: [{ ...artifacts.weightSpecs?.[0], ...spec }] });

test('what is no model says so', async () => {
  await refuses(json('<html>'), /not a TensorFlow\.js model\.json/);
  await refuses(json('[]'), /modelTopology is missing/);
  await refuses(json('null'), /modelTopology is missing/);
  await refuses(json({ modelTopology: {} }), /neither a graph model nor a layers model/);
  await refuses({ modelTopology: { class_name: 'Sequential', config: { layers: [] } } }, /no layers/);
  await refuses([new File([], 'a.bin')], /model\.json is missing; got a\.bin/, 'INVALID_ARGUMENT');
  await refuses([null], /the files cannot be read/, 'INVALID_ARGUMENT');
  await refuses(
    json({ modelTopology: {}, weightsManifest: [{}] }),
    /weightsManifest cannot be read/,
    'INVALID_ARGUMENT',
  );
  await refuses(5, /.*/, 'INVALID_ARGUMENT');
});

test('weights that are not as they are said', async () => {
  await refuses(withSpec({ shape: [9] }), /the weight ends at byte 36, but the weight files have 12 bytes/);
  await refuses(withSpec({ dtype: 'complex64' }), /unsupported weight type.*complex64/);
  await refuses(withSpec({ shape: [-1] }), /invalid shape/);
  await refuses(withSpec({ dtype: 'string', shape: [7] }), /extend beyond the weight files/);
  await refuses(withSpec({ quantization: { dtype: 'uint8' } }), /scale and min are missing/);
  await refuses({ ...artifacts, weightSpecs: [] }, /missing in the weight files/, 'UNSUPPORTED_OPERATOR');
});

const graph = (...node: object[]) => ({ modelTopology: { node } });
const x = {
  name: 'x',
  op: 'Placeholder',
  attr: { dtype: { type: 'DT_FLOAT' }, shape: { shape: { dim: [{ size: '2' }] } } },
};

test('all nodes without an equal are listed', async () => {
  const error = await refuses(
    graph(
      x,
      { name: 'a', op: 'StringSplit', input: ['x'] },
      { name: 'b', op: 'Relu', input: ['a'] },
      { name: 'c', op: 'Enter', input: ['b'] },
      { name: 'd', op: 'Frobnicate', input: ['x', 'c'] },
      { name: 'e', op: 'Relu', input: ['x'] },
    ),
    /control_flow_v2/,
    'UNSUPPORTED_OPERATOR',
  );
  assert.instance(error, TranslationError);
  assert.equal(
    (error as TranslationError).obstacles.map(({ node }) => node),
    ['a', 'c', 'd'],
  );
});

test('graphs that are none', async () => {
  const relu = (name: string, ...input: string[]) => ({ name, op: 'Relu', input });
  await refuses(
    graph(x, relu('a', 'b'), relu('b', 'a'), relu('y', 'a')),
    /depends on its own output/,
    'UNSUPPORTED_OPERATOR',
  );
  await refuses(graph(x, relu('y', 'nobody')), /does not contain it/, 'UNSUPPORTED_OPERATOR');
  await refuses(graph(x, { name: 'y', op: 'AddV2', input: ['x'] }), /too few inputs/, 'UNSUPPORTED_OPERATOR');
  await refuses(
    graph(x, {
      name: 'y',
      op: 'While',
      input: ['x'],
      attr: { cond: { func: { name: 'f' } }, body: { func: { name: 'g' } } },
    }),
    /no function "g"|no function "f"/,
    'UNSUPPORTED_OPERATOR',
  );
  await refuses(graph(x, { name: 'y', op: 'constructor', input: ['x'] }), /not supported/, 'UNSUPPORTED_OPERATOR');
});

test('a function that calls itself is refused', async () => {
  const branches = { then_branch: { func: { name: 'f' } }, else_branch: { func: { name: 'f' } } };
  const call = { name: 'r', op: 'If', input: ['p', 'p'], attr: branches };
  const signature = {
    name: 'f',
    inputArg: [{ name: 'p', type: 'DT_FLOAT' }],
    outputArg: [{ name: 'o', type: 'DT_FLOAT' }],
  };
  const library = { function: [{ signature, nodeDef: [call], ret: { o: 'r:output:0' } }] };
  const node = [x, { ...call, name: 'y', input: ['x', 'x'] }];
  await refuses({ modelTopology: { node, library } }, /calls itself/, 'UNSUPPORTED_OPERATOR');
});

test('layers without an equal are listed', async () => {
  const layers = ['ConvLSTM2D', 'Dense', 'Mystery'].map((class_name, i) => ({
    class_name,
    config: { name: `l${i}`, ...(i === 0 && { batch_input_shape: [null, 3] }) },
  }));
  const error = await refuses(
    { modelTopology: { class_name: 'Sequential', config: { layers } } },
    /this layer is not supported/,
    'UNSUPPORTED_OPERATOR',
  );
  assert.equal(
    (error as TranslationError).obstacles.map(({ operator }) => operator),
    ['ConvLSTM2D', 'Mystery'],
  );
});

test('a weight that a layer says it has is missed', async () => {
  const config = { name: 'd', units: 1, use_bias: true, batch_input_shape: [null, 2] };
  const model = { modelTopology: { class_name: 'Sequential', config: { layers: [{ class_name: 'Dense', config }] } } };
  const weights = {
    weightSpecs: [{ name: 'd/kernel', shape: [2, 1], dtype: 'float32' }],
    weightData: new ArrayBuffer(8),
  };
  await refuses({ ...model, ...weights }, /the weight "d\/bias" is missing/, 'UNSUPPORTED_OPERATOR');
});

test('it stops when it is told to', async () => {
  const abort = new AbortController();
  abort.abort();
  try {
    await fromTensorFlowJS(files, { signal: abort.signal });
    assert.unreachable();
  } catch (thrown) {
    assert.is((thrown as Error).name, 'AbortError');
  }
});

/** What TensorFlow.js cannot run as TensorFlow means it, by hand. */
const BY_HAND: readonly (readonly [GraphCase, readonly number[]])[] = [
  [single('BitwiseAnd', [of('int32', [3], [12, 7, 255]), of('int32', [3], [10, 5, 15])]), [8, 5, 15]],
  [
    single(
      'MatrixBandPart',
      [of('float32', [3, 3], [1, 2, 3, 4, 5, 6, 7, 8, 9]), fixed(of('int32', [], [0])), fixed(of('int32', [], [1]))],
      FLOAT,
    ),
    [1, 2, 0, 0, 5, 6, 0, 0, 9],
  ],
  [
    single(
      'MatrixBandPart',
      [of('float32', [3, 3], [1, 2, 3, 4, 5, 6, 7, 8, 9]), fixed(of('int32', [], [1])), fixed(of('int32', [], [-1]))],
      FLOAT,
    ),
    [1, 2, 3, 4, 5, 6, 0, 8, 9],
  ],
  [
    single('BatchMatMulV2', [of('float32', [2, 1, 1, 1], [1, 2]), of('float32', [3, 1, 1], [3, 4, 5])], FLOAT),
    [3, 4, 5, 6, 8, 10],
  ],
  [single('Prelu', [floats([2], -1, 2), fixed(floats([2], 0.5, 9))], { ...FLOAT, alpha: f(1) }), [-0.5, 2]],
];

for (const [known, expected] of BY_HAND)
  test(`${known.name} as TensorFlow means it`, async () => {
    const model = await fromTensorFlowJS(artifactsOf(known));
    const [first] = Object.values(known.feeds);
    const dims = known.name === 'BatchMatMulV2' ? [2, 3, 1, 1] : (first?.dims ?? []);
    await assertRuns(model, known.feeds, [['y', of(first?.type ?? 'float32', dims, expected)]]);
  });

const image = random([1, 5, 6, 3]);
const turned = (value: TensorValue): TensorValue => {
  const [n = 0, h = 0, w = 0, c = 0] = value.dims;
  const from = value.data as Float32Array;
  const at = (i: number) => {
    const [column, row, channel] = [i % w, Math.floor(i / w) % h, Math.floor(i / (w * h)) % c];
    return from[(row * w + column) * c + channel] as number;
  };
  return of(
    'float32',
    [n, c, h, w],
    Array.from({ length: from.length }, (_, i) => at(i)),
  );
};

const LAYOUTS: readonly (readonly [
  op: string,
  others: readonly TensorValue[],
  attr: Readonly<Record<string, Attr>>,
])[] = [
  ['Conv2D', [random([3, 3, 3, 4])], { padding: text('SAME') }],
  ['DepthwiseConv2dNative', [random([3, 3, 3, 2])], { padding: text('VALID') }],
  ['MaxPool', [], { padding: text('SAME') }],
  ['AvgPool', [], { padding: text('VALID') }],
  ['BiasAdd', [random([3])], {}],
  ['FusedBatchNormV3', [random([3], 1, 2), random([3]), random([3]), random([3], 1, 2)], { is_training: b(false) }],
];

for (const [op, others, attr] of witness ? LAYOUTS : [])
  test(`${op} of channels that come first`, async () => {
    const sizes = (isLast: boolean) => (isLast ? [1, 2, 2, 1] : [1, 1, 2, 2]);
    const made = (isLast: boolean) =>
      single(op, [isLast ? image : turned(image), ...others.map(fixed)], {
        ...FLOAT,
        ...attr,
        strides: list(...sizes(isLast)),
        ksize: list(...sizes(isLast)),
        dilations: list(1, 1, 1, 1),
        data_format: text(isLast ? 'NHWC' : 'NCHW'),
      });
    const [expected] = await runGraph(witness as NonNullable<typeof witness>, artifactsOf(made(true)), { a: image }, [
      'y',
    ]);
    const signature = { outputs: { y: { name: 'y' } } };
    const model = await fromTensorFlowJS({ ...artifactsOf(made(false)), signature });
    await assertRuns(model, { a: turned(image) }, [['y', turned(expected as TensorValue)]]);
  });

test('a default that may be replaced', async () => {
  const made = chainOf(
    { x: random([2]) },
    { z: floats([2], 5, 6) },
    [
      {
        name: 'p',
        op: 'PlaceholderWithDefault',
        input: ['z'],
        attr: { dtype: type('float32'), shape: { shape: { dim: [{ size: '2' }] } } },
      },
      { name: 'y', op: 'Sub', input: ['p', 'x'], attr: FLOAT },
    ],
    ['y'],
  );
  const model = await fromTensorFlowJS(artifactsOf(made));
  const given = made.feeds.x as TensorValue;
  const [first = 0, second = 0] = given.data as Float32Array;
  await assertRuns(model, made.feeds, [['y', floats([2], 5 - first, 6 - second)]]);
  // onnxruntime-node takes no feeds for what has a default.
  const replaced = await runHere((await saveModel(model)) as Uint8Array, { ...made.feeds, p: floats([2], 1, 1) });
  assertClose(replaced.y, floats([2], 1 - first, 1 - second), 'y');
});

const DRAWN: readonly (readonly [
  op: string,
  operands: readonly Operand[],
  attr: Readonly<Record<string, Attr>>,
  least: number,
  most: number,
])[] = [
  [
    'RandomUniform',
    [fixed(of('int32', [2], [40, 50]))],
    { minval: f(0), maxval: f(1), seed: i(3), dtype: type('float32') },
    0,
    1,
  ],
  [
    'RandomUniformInt',
    [fixed(of('int32', [2], [40, 50])), fixed(of('int32', [], [2])), fixed(of('int32', [], [6]))],
    { seed: i(3) },
    2,
    5,
  ],
  ['RandomStandardNormal', [fixed(of('int32', [2], [40, 50]))], { seed: i(3), dtype: type('float32') }, -6, 6],
  [
    'Multinomial',
    [fixed(floats([40, 3], ...new Array(120).fill(1))), fixed(of('int32', [], [50]))],
    { seed: i(3) },
    0,
    2,
  ],
];

for (const [op, operands, attr, least, most] of DRAWN)
  test(`${op} draws from where it should`, async () => {
    const drawn = single(op, operands, attr);
    const model = await fromTensorFlowJS(artifactsOf({ ...drawn, feeds: { x: random([1]) } }));
    await assertSound(model);
    const bytes = (await saveModel(model)) as Uint8Array;
    for (const [, run] of RUNTIMES) {
      const { y } = await run(bytes, { x: random([1]) });
      const numbers = Array.from(y?.data as Float32Array);
      assert.equal([...(y?.dims ?? [])], [40, 50]);
      assert.ok(
        numbers.every((value) => value >= least && value <= most),
        `${Math.min(...numbers)} to ${Math.max(...numbers)}`,
      );
      const mean = numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
      assert.ok(Math.abs(mean - (least + most) / 2) < 0.1 * (most - least), `the mean is ${mean}`);
      assert.ok(new Set(numbers).size > 2);
    }
  });

test('sizes that are left open give the same', async () => {
  const pooled = single('Mean', [random([2, 4, 4, 3]), fixed(of('int32', [2], [1, 2]))], {
    ...FLOAT,
    keep_dims: { b: false },
  });
  if (!witness) return;
  const [expected] = await runGraph(witness, artifactsOf(pooled, true), pooled.feeds, ['y']);
  await assertRuns(await fromTensorFlowJS(artifactsOf(pooled, true)), pooled.feeds, [['y', expected as never]]);
});

test.run();
