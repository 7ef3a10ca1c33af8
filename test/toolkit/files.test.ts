import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import { InferenceSession, SardonyxError, Tensor } from '../../src/index.js';
import { withFields } from '../../src/model/document/changed.js';
import { LeftBytes } from '../../src/model/document/left-bytes.js';
import {
  checkModel,
  convertVersion,
  fromExternalData,
  inferShapes,
  loadModel,
  type Model,
  parseModel,
  saveModel,
  toExternalData,
} from '../../src/tools/index.js';
import { withProto } from '../../src/tools/model-of.js';
import { expectRejection } from '../expect-error.js';
import { sampled } from '../tier.js';

const test = sampled(suite('files of documents'), { quick: 1 / 2 });
const folder = mkdtempSync(join(tmpdir(), 'sardonyx-'));
const at = (...names: string[]) => join(folder, ...names);
test.after(() => rmSync(folder, { recursive: true }));

const LENGTH = 4096;
const weight = (f: (x: number) => number) =>
  tensor(
    'float32',
    [LENGTH],
    Array.from({ length: LENGTH }, (_, i) => f(i)),
  );

/** y = 2 (x + sin + sin + cos): two equal weights of 16 KiB, one of its own, and a scalar. */
function weighted(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const x = b.input('x', 'float32', [LENGTH]);
  const weights = [
    b.constant('a', weight(Math.sin)),
    b.constant('b', weight(Math.sin)),
    b.constant('c', weight(Math.cos)),
  ];
  const sum = weights.reduce((value, other) => b.op('Add', [value, other]), x);
  b.output('y', b.op('Mul', [sum, b.constant('two', tensor('float32', [], [2]))]), 'float32', [LENGTH]);
  return b.toBytes();
}

const bytes = weighted();
const renamed = (model: Model) => withProto(model, withFields(model.proto, { producerName: 'another' }));
const isSame = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;

/** y for x = 1, as a session has it of files at a path. */
async function resultAt(path: string): Promise<number[]> {
  const session = await InferenceSession.create(path);
  const results = await session.run({ x: new Tensor('float32', new Float32Array(LENGTH).fill(1), [LENGTH]) });
  await session.release();
  const { data } = results.y as Tensor;
  return Array.from(data as Float32Array).slice(0, 8);
}
const EXPECTED = Array.from({ length: 8 }, (_, i) => Math.fround(2 * Math.fround(1 + 2 * Math.sin(i) + Math.cos(i))));
const isExpected = (y: number[]) => y.every((value, i) => Math.abs(value - (EXPECTED[i] as number)) < 1e-5);

/** Serves the folder. */
async function served<T>(work: (address: string) => Promise<T>): Promise<T> {
  const server = createServer(({ url = '' }, response) => {
    const path = at(url.slice(1));
    if (existsSync(path)) response.end(readFileSync(path));
    else response.writeHead(404).end();
  }).listen(0);
  try {
    return await work(`http://localhost:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

writeFileSync(at('whole.onnx'), bytes);

const SOURCES: Record<string, () => Parameters<typeof loadModel>[0]> = {
  'a path': () => at('whole.onnx'),
  'a file: URL': () => pathToFileURL(at('whole.onnx')),
  bytes: () => bytes,
  'an ArrayBuffer': () => bytes.slice().buffer,
  'a Blob': () => new Blob([bytes as BlobPart]),
  'a Response': () => new Response(bytes as BodyInit),
  'a stream': () => new Blob([bytes as BlobPart]).stream(),
};

for (const [name, source] of Object.entries(SOURCES))
  test(`${name}: saved as it was, and the same where something else was changed`, async () => {
    const model = await loadModel(source());
    assert.ok(isSame(await saveModel(model), bytes));
    const changed = await saveModel(renamed(model));
    assert.ok(isSame(changed, await saveModel(renamed(await loadModel(bytes)))));
    assert.is(changed.length, bytes.length + 'another'.length - (await loadModel(bytes)).proto.producerName.length);
  });

test('what can be read piecemeal keeps its weights', async () => {
  for (const source of [at('whole.onnx'), new Blob([bytes as BlobPart])]) {
    const { proto } = await loadModel(source);
    assert.is(proto.graph?.initializer.filter(({ rawData }) => rawData instanceof LeftBytes).length, 3);
  }
});

test('an address, with the files beside it', async () => {
  await saveModel(await toExternalData(await loadModel(bytes), { location: 'net/w.bin' }), at('net.onnx'));
  await served(async (address) => {
    const seen: string[] = [];
    const model = await loadModel(`${address}/net.onnx`, { onProgress: ({ file }) => seen.push(file) });
    assert.equal([...new Set(seen)], [`${address}/net.onnx`]);
    assert.equal(await checkModel(model), []);
    const whole = await saveModel(await fromExternalData(model));
    assert.ok(isSame(whole, await saveModel({ ...(await loadModel(bytes)), original: undefined })));
    await expectRejection('DOWNLOAD', /404/, loadModel(`${address}/absent.onnx`));
  });
});

test('external data: equal weights once, aligned, the small ones inside; and back', async () => {
  const model = await toExternalData(await loadModel(at('whole.onnx')));
  assert.equal([...(model.pending?.keys() ?? [])], ['weights.data']);
  await saveModel(model, at('split', 'm.onnx'));
  assert.equal(readdirSync(at('split')).sort(), ['m.onnx', 'weights.data']);
  assert.is(statSync(at('split', 'weights.data')).size, 2 * 4 * LENGTH);
  assert.ok(statSync(at('split', 'm.onnx')).size < 1000);
  assert.ok(isExpected(await resultAt(at('split', 'm.onnx'))));
  const back = await fromExternalData(await loadModel(at('split', 'm.onnx')));
  assert.ok(isSame(await saveModel(back), await saveModel({ ...(await loadModel(bytes)), original: undefined })));
});

test('saving again replaces what was there, and nothing grows', async () => {
  const path = at('again', 'm.onnx');
  await saveModel(await loadModel(bytes), path, { externalData: true });
  const sizes = () => readdirSync(at('again')).map((name) => [name, statSync(at('again', name)).size]);
  const before = sizes();
  for (const threshold of [0, 1024]) {
    await saveModel(await loadModel(path), path, { externalData: { threshold } });
    assert.ok(isExpected(await resultAt(path)));
  }
  assert.equal(sizes(), before);
});

test('into another folder, the files go along; into the same, they stay as they are', async () => {
  const path = at('first', 'm.onnx');
  await saveModel(await loadModel(bytes), path, { externalData: { location: 'deep/w.bin' } });
  const { ino } = statSync(at('first', 'deep', 'w.bin'));
  const model = renamed(await loadModel(path));
  await saveModel(model, at('first', 'other.onnx'));
  assert.is(statSync(at('first', 'deep', 'w.bin')).ino, ino);
  await saveModel(model, at('second', 'm.onnx'));
  assert.ok(isExpected(await resultAt(at('second', 'm.onnx'))));
});

test('files given by hand', async () => {
  await saveModel(await loadModel(bytes), at('given', 'm.onnx'), { externalData: { location: 'w.bin' } });
  const [proto, data] = ['m.onnx', 'w.bin'].map((name) => readFileSync(at('given', name)));
  const model = await loadModel(proto as Uint8Array, {
    externalData: [{ path: 'w.bin', data: new Blob([data as BlobPart]) }],
  });
  assert.ok(
    isSame(
      await saveModel(await fromExternalData(model)),
      await saveModel({ ...(await loadModel(bytes)), original: undefined }),
    ),
  );
  const without = await loadModel(proto as Uint8Array);
  await expectRejection('EXTERNAL_DATA', /w\.bin/, fromExternalData(without));
  assert.is((await checkModel(without)).filter(({ code }) => code === 'EXTERNAL_DATA').length, 3);
});

test('shapes are known that are in a file which no one can read at once, or not yet written', async () => {
  const text = `<ir_version: 8, opset_import: ["" : 17]>
    g (float[2,3] x) => (float[m,n] y) <int64[2] s = {3, 2}> { y = Reshape (x, s) }`;
  const split = await toExternalData(parseModel(text), { threshold: 0 });
  await saveModel(split, at('shapes', 'm.onnx'));
  const blob = (name: string) => new Blob([readFileSync(at('shapes', name))]);
  const externalData = [{ path: 'weights.data', data: blob('weights.data') }];
  for (const model of [split, await loadModel(blob('m.onnx'), { externalData })]) {
    const [y] = (await inferShapes(model)).proto.graph?.output ?? [];
    assert.equal(
      y?.type?.tensorType?.shape?.dim.map(({ dimValue }) => Number(dimValue)),
      [3, 2],
    );
    assert.equal((await convertVersion(model, 4)).proto.graph?.node[0]?.attribute[0]?.ints.map(Number), [3, 2]);
    assert.equal(await checkModel(model, { full: true }), []);
  }
});

test('a failure leaves what was there', async () => {
  const path = at('kept', 'm.onnx');
  await saveModel(await loadModel(bytes), path, { externalData: true });
  const before = readdirSync(at('kept')).map((name) => readFileSync(at('kept', name)));
  const model = renamed(await loadModel(bytes));
  const gone = () => Promise.reject(new SardonyxError('DOWNLOAD', 'gone'));
  const broken: Model = {
    ...(await toExternalData(model)),
    pending: new Map([['weights.data', { size: 9, range: gone }]]),
    files: async () => ({ size: 9, range: gone }),
  };
  await expectRejection('DOWNLOAD', /gone/, saveModel(broken, path));
  const controller = new AbortController();
  const onProgress = () => controller.abort();
  await expectRejection(
    'ABORTED',
    /./,
    saveModel(model, path, { signal: controller.signal, onProgress, externalData: true }),
  );
  assert.equal(readdirSync(at('kept')).sort(), ['m.onnx', 'm.onnx.data']);
  assert.equal(
    readdirSync(at('kept')).map((name) => readFileSync(at('kept', name))),
    before,
  );
});

test('a stream, and what has no place in one', async () => {
  const written: Uint8Array[] = [];
  const stream = () => new WritableStream<Uint8Array>({ write: (piece) => void written.push(piece.slice()) });
  await saveModel(await loadModel(at('whole.onnx')), stream());
  assert.ok(isSame(Buffer.concat(written), bytes));
  const split = await toExternalData(await loadModel(bytes));
  await expectRejection('INVALID_ARGUMENT', /weights\.data.*fromExternalData/, saveModel(split, stream()));
  await expectRejection('INVALID_ARGUMENT', /fromExternalData/, saveModel(split));
  await expectRejection('INVALID_ARGUMENT', /a path/, saveModel(split, 'https://example.org/m.onnx'));
  await expectRejection('INVALID_ARGUMENT', /got 7/, saveModel(split, 7 as never));
});

test('files that lead out of the folder are neither read nor written', async () => {
  for (const location of ['../w.bin', '/tmp/w.bin', 'a/../../w.bin', ''])
    await expectRejection(
      'INVALID_ARGUMENT',
      /a relative path within/,
      toExternalData(await loadModel(bytes), { location }),
    );
  mkdirSync(at('links'));
  await saveModel(await loadModel(bytes), at('links', 'm.onnx'), { externalData: { location: 'w.bin' } });
  rmSync(at('links', 'w.bin'));
  symlinkSync(at('whole.onnx'), at('links', 'w.bin'));
  await expectRejection(
    'EXTERNAL_DATA',
    /is outside the model's folder/,
    fromExternalData(await loadModel(at('links', 'm.onnx'))),
  );
});

/** What is read at once, and in another thread. */
for (const size of [LENGTH, 2 ** 20])
  test(`a file of ${size} numbers that was changed since is not read`, async () => {
    const b = modelBuilder({ opset: 21 });
    const w = b.constant('w', tensor('float32', [size], new Float32Array(size).fill(0.5)));
    b.output('y', b.op('Neg', [w]), 'float32', [size]);
    const path = at('changing', 'm.onnx');
    await saveModel(await loadModel(b.toBytes()), path, { externalData: true });
    const model = await loadModel(path);
    const whole = await saveModel(await fromExternalData(model));
    assert.ok(whole.length > 4 * size);
    await new Promise((next) => setTimeout(next, 20));
    writeFileSync(`${path}.data`, readFileSync(`${path}.data`));
    await expectRejection('EXTERNAL_DATA', /changed/, saveModel(await fromExternalData(model)));
    await expectRejection('EXTERNAL_DATA', /changed/, saveModel(model, at('elsewhere', 'm.onnx')));
    assert.equal(readdirSync(at('elsewhere')), []);
  });

test('no bytes at all are no model', async () => {
  writeFileSync(at('empty.onnx'), '');
  for (const source of [at('empty.onnx'), new Uint8Array(), new Blob([])])
    await expectRejection('INVALID_MODEL', /is not an ONNX model: it is empty \(0 bytes\)/, loadModel(source));
});

test('a pipe is written to, not replaced', async () => {
  const pipe = at('pipe');
  if (spawnSync('mkfifo', [pipe]).status !== 0) return;
  const reader = spawn('cat', [pipe]);
  const parts: Uint8Array[] = [];
  reader.stdout.on('data', (part) => parts.push(part));
  await Promise.all([saveModel(await loadModel(bytes), pipe), once(reader, 'close')]);
  assert.ok(Buffer.concat(parts).equals(bytes));
  assert.ok(statSync(pipe).isFIFO());
});

/** A folder as OPFS has them, which counts what is written to its files. */
function countingFolder(): { readonly handle: FileSystemDirectoryHandle; readonly sizes: Record<string, number> } {
  const sizes: Record<string, number> = {};
  const file = (name: string) => ({
    name,
    createWritable: async () => {
      let size = 0;
      const write = (piece: Uint8Array) => {
        size += piece.length;
      };
      const close = () => {
        sizes[name] = size;
      };
      return new WritableStream<Uint8Array>({ write, close });
    },
  });
  const getFileHandle = async (name: string, options?: { create: boolean }) => {
    if (!options?.create && !(name in sizes)) throw new Error('NotFoundError');
    return file(name);
  };
  return { handle: { getFileHandle, removeEntry: async () => {} } as unknown as FileSystemDirectoryHandle, sizes };
}

test('a model of more than 2 GiB gets its weights beside it, and has no place in one array', async () => {
  const { proto, ...model } = await loadModel(bytes);
  const graph = proto.graph as NonNullable<typeof proto.graph>;
  const size = 2 ** 31 + 2 ** 20;
  const rawData = new LeftBytes(size, (begin, end) => new Uint8Array(end - begin));
  const [first, ...rest] = graph.initializer;
  const large = withFields(first as NonNullable<typeof first>, { dims: [size / 4], rawData });
  const huge = withProto(
    { proto, ...model },
    withFields(proto, { graph: withFields(graph, { initializer: [large, ...rest] }) }),
  );
  await expectRejection('LIMIT', /protobuf/, saveModel(huge));
  const { handle, sizes } = countingFolder();
  await saveModel(huge, { folder: handle, name: 'm.onnx' });
  assert.is(sizes['m.onnx.data'], size + 2 * 4 * LENGTH);
  assert.ok((sizes['m.onnx'] as number) < 1000);
});

test.run();
