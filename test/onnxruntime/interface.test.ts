import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ModelProto } from '../../build/onnx.js';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import type { Value } from '../../src/graph/graph.js';
import { env as ownEnv, SardonyxError } from '../../src/index.js';
import ort, { type Backend, env, InferenceSession, registerBackend, Tensor } from '../../src/onnxruntime/index.js';

const test = suite('sardonyx/onnxruntime');

function doubled(): Uint8Array {
  const b = modelBuilder({ opset: 17 });
  const x = b.input('x', 'float32', ['n']);
  b.output('y', b.op('Add', [x, x]), 'float32', ['n']);
  return b.toBytes();
}

/** A cache that grows, as decoders have it: `batch` is the same size in both inputs. */
function cache(): Uint8Array {
  const b = modelBuilder({ opset: 17 });
  const past = b.input('past', 'float32', ['batch', 1, 'past', 2]);
  const x = b.input('x', 'float32', ['batch', 1, 'now', 2]);
  b.output('present', b.op('Concat', [past, x], { axis: 2 }), 'float32', ['batch', 1, 'total', 2]);
  return b.toBytes();
}

/** y = x + w, w in the file w.bin. */
function externalModel(): Uint8Array {
  const vector = (name: string) => ({ name, type: { tensorType: { elemType: 1, shape: { dim: [{ dimValue: 2 }] } } } });
  const externalData = [{ key: 'location', value: 'w.bin' }];
  return ModelProto.encode({
    irVersion: 10,
    opsetImport: [{ version: 17 }],
    graph: {
      node: [{ opType: 'Add', input: ['x', 'w'], output: ['y'] }],
      initializer: [{ name: 'w', dims: [2], dataType: 1, dataLocation: 1, externalData }],
      input: [vector('x')],
      output: [vector('y')],
    },
  }).finish();
}

const feeds = () => ({ x: new Tensor('float32', [1, 2], [2]) });

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => assert.unreachable('should have failed'),
    (reason: unknown) => reason,
  );
  assert.instance(error, SardonyxError);
  return (error as SardonyxError).code;
}

/** What is warned of meanwhile. */
async function warnings(work: () => Promise<unknown>): Promise<string[]> {
  const { warn } = console;
  const said: string[] = [];
  console.warn = (message) => said.push(message);
  await work().finally(() => {
    console.warn = warn;
  });
  return said;
}

test('the default export is the module', () => {
  assert.is(ort.InferenceSession, InferenceSession);
  assert.is(ort.Tensor, Tensor);
});

test('a session is made from bytes, a buffer, a part of a buffer, a path and a URL', async () => {
  const bytes = doubled();
  const around = new Uint8Array(bytes.length + 10);
  around.set(bytes, 3);
  const folder = await mkdtemp(join(tmpdir(), 'sardonyx-'));
  const path = join(folder, 'model.onnx');
  writeFileSync(path, bytes);
  const sessions = [
    await InferenceSession.create(bytes),
    await InferenceSession.create(bytes.slice().buffer, {}),
    await InferenceSession.create(around.buffer, 3, bytes.length, { executionProviders: ['cpu'] }),
    await InferenceSession.create(around.buffer.slice(3, 3 + bytes.length), 0),
    await InferenceSession.create(path),
    await InferenceSession.create(new URL(`file://${path}`)),
  ];
  for (const session of sessions) {
    const { y } = await session.run(feeds());
    assert.equal(y?.data, Float32Array.of(2, 4));
    await session.release();
  }
  await rm(folder, { recursive: true });
  assert.is(await codeOf(InferenceSession.create(around.buffer, around.length)), 'INVALID_ARGUMENT');
  assert.is(await codeOf(InferenceSession.create(around.buffer, 0, around.length + 1)), 'INVALID_ARGUMENT');
  assert.is(await codeOf(InferenceSession.create(42 as never)), 'INVALID_ARGUMENT');
  assert.is(await codeOf(InferenceSession.create(bytes, 'wasm' as never)), 'INVALID_ARGUMENT');
});

test('execution providers that are not supported are reported, with the one that is used', async () => {
  const said = await warnings(async () => {
    const executionProviders = ['webgpu', { name: 'webnn', deviceType: 'npu' }, 'wasm'];
    await (await InferenceSession.create(doubled(), { executionProviders })).release();
  });
  assert.is(said.length, 2);
  assert.is(said[0], 'sardonyx: execution provider "webgpu" is not supported; using "wasm"');
  const alone = await warnings(async () => {
    await (await InferenceSession.create(doubled(), { executionProviders: ['webgpu'] })).release();
  });
  assert.match(alone[0] as string, /"webgpu"/, 'the CPU stands in for a GPU');
  assert.is(await codeOf(InferenceSession.create(doubled(), { executionProviders: ['cuda'] })), 'INVALID_ARGUMENT');
  await (await InferenceSession.create(doubled(), { executionProviders: [] })).release();
});

test('another backend can be registered', async () => {
  const made: unknown[] = [];
  const other: Backend = {
    async init(name) {
      made.push(name);
    },
    async createInferenceSessionHandler(source) {
      made.push(source);
      return (await InferenceSession.create(doubled())) as never;
    },
  };
  registerBackend('other', other, -1);
  registerBackend('broken', { ...other, init: () => Promise.reject(new Error('no driver')) }, -1);
  const session = await InferenceSession.create('model', { executionProviders: ['other'] });
  assert.equal(made, ['other', 'model']);
  assert.equal(session.outputNames, ['y']);
  const said = await warnings(() => InferenceSession.create('model', { executionProviders: ['broken', 'other'] }));
  assert.match(said[0] as string, /"broken".*no driver/);
  assert.throws(() => registerBackend('other', { ...other }, -1), /another backend/);
  assert.throws(() => registerBackend('wrong', {} as never, 1), /init/);
});

test('outputs stay in the memory of the CPU', async () => {
  await (await InferenceSession.create(doubled(), { preferredOutputLocation: { y: 'cpu' } })).release();
  const said = await warnings(async () => {
    const session = await InferenceSession.create(doubled(), { preferredOutputLocation: 'gpu-buffer' });
    assert.is((await session.run(feeds())).y?.location, 'cpu');
  });
  assert.match(said[0] as string, /"gpu-buffer"/);
});

test('external data are bytes, a blob, a URL or a path', async () => {
  const weights = Float32Array.of(10, 20);
  const model = externalModel();
  const folder = await mkdtemp(join(tmpdir(), 'sardonyx-'));
  const path = join(folder, 'w.bin');
  writeFileSync(path, new Uint8Array(weights.buffer));
  const url = `data:application/octet-stream;base64,${Buffer.from(weights.buffer).toString('base64')}`;
  const data = [new Uint8Array(weights.buffer), weights.buffer, new Blob([weights]), url, path];
  for (const externalData of [...data.map((d) => [{ path: 'w.bin', data: d }]), [path]]) {
    const session = await InferenceSession.create(model, { externalData });
    const { y } = await session.run(feeds());
    assert.equal(y?.data, Float32Array.of(11, 22));
    await session.release();
  }
  await rm(folder, { recursive: true });
});

test('what is no fetch is options: those of onnxruntime-web have their effect', async () => {
  const session = await InferenceSession.create(doubled());
  const far = { type: 'float32', dims: [2], location: 'gpu-buffer', data: new Float32Array(2) };
  assert.is(await codeOf(session.run({ x: far as never })), 'INVALID_ARGUMENT');
  assert.is(await codeOf(session.run(feeds(), { terminate: true })), 'ABORTED');
  assert.is(await codeOf(session.run(feeds(), ['y'], { terminate: true })), 'ABORTED');
  await session.release();
});

test('results come in the order of the names, and fetches that are no outputs are passed over', async () => {
  const b = modelBuilder({ opset: 17 });
  const x = b.input('x', 'float32', ['n']);
  for (const [name, op] of Object.entries({ y: 'Neg', z: 'Abs' })) b.output(name, b.op(op, [x]), 'float32', ['n']);
  const session = await InferenceSession.create(b.toBytes());
  assert.equal(Object.keys(await session.run(feeds(), ['z', 'y'])), ['z', 'y']);
  const some = { z: null, y: undefined, other: null } as unknown as InferenceSession.FetchesType;
  assert.equal(Object.keys(await session.run(feeds(), some)), ['z']);
});

test('options may be null', async () => {
  const none = { executionProviders: null, externalData: null, preferredOutputLocation: null } as never;
  await (await InferenceSession.create(doubled(), none)).release();
});

test('tensors of another backend become those of this module', async () => {
  const plain = { type: 'float32', dims: [1], data: Float32Array.of(7) } as unknown as Tensor;
  registerBackend('plain', {
    async init() {},
    createInferenceSessionHandler: async () =>
      ({ inputNames: [], outputNames: ['y'], run: async () => ({ y: plain }) }) as never,
  });
  const session = await InferenceSession.create('model', { executionProviders: ['plain'] });
  assert.instance((await session.run({})).y, Tensor);
});

test('with the proxy on, a session runs in a worker, and its tensors are of this module', async () => {
  env.wasm.proxy = true;
  const session = await InferenceSession.create(doubled(), { executionProviders: ['wasm'], logSeverityLevel: 3 });
  env.wasm.proxy = false;
  const { y } = await session.run(feeds());
  assert.instance(y, Tensor);
  assert.equal(y?.data, Float32Array.of(2, 4));
  assert.instance(session.profile, Promise);
  await session.release();
});

test('with the proxy on, a session for which no worker starts runs here', async () => {
  Object.assign(env.wasm, { proxy: true, sessionWorkerUrl: new URL('none.js', import.meta.url) });
  const said = await warnings(async () => {
    const session = await InferenceSession.create(doubled());
    assert.equal((await session.run(feeds())).y?.data, Float32Array.of(2, 4));
    assert.is(await codeOf(InferenceSession.create(new Uint8Array(3))), 'INVALID_MODEL');
  }).finally(() => Object.assign(env.wasm, { proxy: false, sessionWorkerUrl: undefined }));
  assert.match(said[0] as string, /none\.js.*without/);
});

test('an input with a default is none that must be fed', async () => {
  const b = modelBuilder({ opset: 17 });
  const bias = b.input('bias', 'float32', [1], { default: tensor('float32', [1], [5]) });
  b.output('y', b.op('Add', [b.input('x', 'float32', ['n']), bias]), 'float32', ['n']);
  const session = await InferenceSession.create(b.toBytes());
  assert.equal(session.inputNames, ['x']);
});

test('an empty cache may say 0 for sizes that other feeds know', async () => {
  const session = await InferenceSession.create(cache());
  const x = new Tensor('float32', [1, 2, 3, 4], [2, 1, 1, 2]);
  const { present } = await session.run({ past: new Tensor('float32', [], [0, 1, 0, 2]), x });
  assert.equal(present?.dims, [2, 1, 1, 2]);
  const grown = await session.run({ past: present as Tensor, x });
  assert.equal(grown.present?.data, Float32Array.of(1, 2, 1, 2, 3, 4, 3, 4));
});

test('a symbol may be of another size in each input', async () => {
  const b = modelBuilder({ opset: 17 });
  const [x, y] = ['x', 'y'].map((name) => b.input(name, 'float32', ['batch', 'n'])) as [Value, Value];
  const sum = b.op('Add', [x, y]);
  b.output('sum', b.op('Sub', [b.op('Expand', [sum, b.op('Shape', [x])]), x]), 'float32', ['batch', 'n']);
  const session = await InferenceSession.create(b.toBytes());
  assert.equal(session.inputMetadata[0], { name: 'x', isTensor: true, type: 'float32', shape: ['batch', 'n'] });
  const one = new Tensor('float32', [1, 2], [1, 2]);
  const many = new Tensor('float32', [3, 4, 5, 6], [2, 2]);
  for (const [x, y] of [
    [one, many],
    [many, one],
  ] as const) {
    const { sum } = await session.run({ x, y });
    assert.equal(sum?.dims, [2, 2]);
    assert.equal(sum?.data, x === one ? many.data : Float32Array.of(1, 2, 1, 2));
  }
});

test('the environment takes every setting of onnxruntime-web, and shares those of Sardonyx', () => {
  const before = { ...env.wasm };
  env.wasm.wasmPaths = 'https://example.org/';
  env.wasm.simd = true;
  env.logLevel = 'error';
  env.debug = true;
  env.webgpu.powerPreference = 'high-performance';
  env.webgpu.profiling.mode = 'default';
  env.webgl.pack = true;
  env.wasm.numThreads = 1;
  assert.is(ownEnv.wasm.numThreads, 1);
  assert.is(env.versions.web, undefined);
  assert.type(env.versions.common, 'string');
  assert.is(ownEnv.wasm.wasmPaths, undefined, 'where the files of onnxruntime are is not where the kernels are');
  Object.assign(env.wasm, { wasmPaths: undefined, simd: undefined }, before);
});

test.run();
