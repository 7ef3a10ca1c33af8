import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type DataSource, InferenceSession, type LoadProgress, type SessionOptions } from '../../src/index.js';
import { expectRejection } from '../expect-error.js';
import { expected, feeds, product, withExternalWeights } from './models.js';
import { brokenAfter, inPieces, serve, whole } from './server.js';

const test = suite('models from anywhere');

const bytes = product();
const { model, weights } = withExternalWeights();
const page = new TextEncoder().encode('<!doctype html><title>Not found</title>');
const folder = mkdtempSync(join(tmpdir(), 'sardonyx-'));
const file = (name: string) => join(folder, name);

const server = await serve({
  '/model.onnx': whole(bytes),
  '/pieces.onnx': inPieces(bytes, 997),
  '/drops.onnx': inPieces(bytes.subarray(0, 300), 1),
  '/gzip.onnx': whole(gzipSync(bytes), { 'content-encoding': 'gzip' }),
  '/page.onnx': whole(page, { 'content-type': 'text/html; charset=utf-8' }),
  '/broken.onnx': brokenAfter(bytes, 5000),
  '/cut.onnx': whole(bytes.subarray(0, 9000)),
  '/zip.onnx': whole(Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0, 0, 0)),
  '/external/model.onnx': whole(model),
  '/external/weights.bin': inPieces(weights, 30011),
  '/short/model.onnx': whole(model),
  '/short/weights.bin': whole(weights.subarray(0, 1000)),
  '/nobody.onnx': (_, response) => void response.writeHead(204).end(),
  '/slow.onnx': (_, response) => {
    response.writeHead(200, { 'content-length': bytes.length });
    response.write(bytes.subarray(0, 3000));
  },
});
const at = (path: string) => `${server.url}${path}`;

test.before(() => {
  writeFileSync(file('model.onnx'), bytes);
  writeFileSync(file('weights.bin'), weights);
  writeFileSync(file('external.onnx'), model);
});
test.after(async () => {
  rmSync(folder, { recursive: true });
  await server.close();
});

async function check(source: DataSource, options: SessionOptions = {}): Promise<void> {
  const session = await InferenceSession.create(source, options);
  for (let run = 0; run < 2; run++) {
    const { y } = await session.run(feeds);
    assert.equal((y as { data: Float32Array }).data, expected);
  }
  await session.release();
}

const streamOf = (data: Uint8Array, size = 1000) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (let i = 0; i < data.length; i += size) controller.enqueue(data.slice(i, i + size));
      controller.close();
    },
  });

/** A file of the origin's private file system, as far as it is used. */
const handle = (data: Uint8Array, name: string) =>
  ({ kind: 'file', name, getFile: async () => new File([data.slice()], name) }) as unknown as FileSystemFileHandle;

const SOURCES: Record<string, () => DataSource | Promise<DataSource>> = {
  bytes: () => bytes,
  'an ArrayBuffer': () => bytes.slice().buffer,
  'a path': () => file('model.onnx'),
  'a file URL': () => pathToFileURL(file('model.onnx')),
  'a URL': () => new URL(at('/model.onnx')),
  'an address': () => at('/model.onnx'),
  'an address without a length': () => at('/pieces.onnx'),
  'a compressed transfer, whose length is another': () => at('/gzip.onnx'),
  'a data URL': () => `data:application/octet-stream;base64,${Buffer.from(bytes).toString('base64')}`,
  'a Blob': () => new Blob([bytes.slice()]),
  'a Response': () => fetch(at('/model.onnx')),
  'a Response made here': () => new Response(bytes.slice()),
  'a stream': () => streamOf(bytes),
  'a stream of tiny pieces': () => streamOf(bytes, 7),
  'a handle of OPFS': () => handle(bytes, 'model.onnx'),
};
for (const [what, source] of Object.entries(SOURCES)) test(`a model from ${what}`, async () => check(await source()));

for (const [what, source] of Object.entries(SOURCES))
  test(`optimized not at all, from ${what}`, async () => check(await source(), { graphOptimizationLevel: 'disabled' }));

test('part of a buffer, as onnxruntime takes it', async () => {
  const buffer = new ArrayBuffer(bytes.length + 20);
  new Uint8Array(buffer, 7).set(bytes);
  const session = await InferenceSession.create(buffer, 7, bytes.length, { graphOptimizationLevel: 'basic' });
  assert.equal(session.outputNames, ['y']);
  assert.equal((await InferenceSession.create(bytes.slice().buffer, 0)).outputNames, ['y']);
  const beyond = /offset 30 and length \d+ are outside a buffer/;
  await expectRejection('INVALID_ARGUMENT', beyond, InferenceSession.create(buffer, 30, bytes.length));
});

test('external data may come from anywhere too', async () => {
  const data: DataSource[] = [
    weights,
    weights.slice().buffer,
    file('weights.bin'),
    pathToFileURL(file('weights.bin')),
    at('/external/weights.bin'),
    new Blob([weights]),
    await fetch(at('/external/weights.bin')),
    streamOf(weights, 4096),
    handle(weights, 'weights.bin'),
  ];
  for (const source of data) await check(model, { externalData: [{ path: './weights.bin', data: source }] });
});

test('external files beside the model are found, in its folder and at its URL', async () => {
  await check(file('external.onnx'));
  await check(at('/external/model.onnx'));
  await check(await fetch(at('/external/model.onnx')));
});

test('what is given goes before what lies beside the model', async () => {
  const wrong = new Uint8Array(weights.length);
  for (const source of [file('external.onnx'), at('/external/model.onnx')]) {
    const session = await InferenceSession.create(source, { externalData: [{ path: 'weights.bin', data: wrong }] });
    const { y } = await session.run(feeds);
    assert.is((y as { data: Float32Array }).data[1], 1);
  }
});

test("no model reaches out of its URL's folder", async () => {
  for (const path of ['../x', '/x', 'https://example.org/x', '//example.org/x', 'a/../../x', '..\\x']) {
    const stranger = withExternalWeights(path).model;
    server.handlers['/stranger.onnx'] = whole(stranger);
    const before = server.requests.length;
    await expectRejection('EXTERNAL_DATA', /is not a relative path/, InferenceSession.create(at('/stranger.onnx')));
    assert.is(server.requests.length, before + 1);
  }
});

const REFUSED: readonly [what: string, code: string, message: RegExp, source: () => DataSource][] = [
  ['a missing file', 'DOWNLOAD', /cannot fetch http.*none.onnx: 404 Not Found/, () => at('/none.onnx')],
  [
    'a page instead of a model',
    'INVALID_MODEL',
    /page.onnx is not an ONNX model: it is a web page, "<!doctype html>.*\(content type text\/html; charset=utf-8\)/,
    () => at('/page.onnx'),
  ],
  ['a page as bytes', 'INVALID_MODEL', /model is not an ONNX model: it is a web page, "<!doctype/, () => page],
  ['a page without a length', 'INVALID_MODEL', /a web page, "<!doctype/, () => streamOf(page, 3)],
  ['an archive', 'INVALID_MODEL', /is not an ONNX model: it is a ZIP archive/, () => at('/zip.onnx')],
  ['a broken connection', 'DOWNLOAD', /broken.onnx was interrupted after \d+ of \d+ bytes: /, () => at('/broken.onnx')],
  [
    'a file cut short',
    'INVALID_MODEL',
    /cut.onnx is truncated: it ends at byte 9000, in a field that extends to byte \d{6}/,
    () => at('/cut.onnx'),
  ],
  ['a stream that ends early', 'INVALID_MODEL', /truncated|damaged or incomplete/, () => streamOf(bytes.slice(0, -3))],
  ['an empty stream', 'INVALID_MODEL', /not an ONNX model/, () => streamOf(new Uint8Array())],
  [
    'no server',
    'DOWNLOAD',
    /cannot fetch http:\/\/127.0.0.1:1\/.*: fetch failed \(/,
    () => 'http://127.0.0.1:1/m.onnx',
  ],
  ['external data cut short', 'EXTERNAL_DATA', /"weights.bin" has 1000 bytes/, () => at('/short/model.onnx')],
  [
    'a file that is not there',
    'FILE_NOT_FOUND',
    /cannot read the model ".*none.onnx": there is no file/,
    () => file('none.onnx'),
  ],
  ['a number', 'INVALID_ARGUMENT', /must be a URL, path.*got 7/, () => 7 as never],
  ['half a URL', 'INVALID_ARGUMENT', /invalid URL "http:\/\/"/, () => 'http://'],
  ['an answer without a body', 'DOWNLOAD', /204/, () => at('/nobody.onnx')],
  ['nothing', 'INVALID_ARGUMENT', /got undefined/, () => undefined as never],
  [
    'a stream that another reads',
    'INVALID_ARGUMENT',
    /is locked by another reader/,
    () => {
      const stream = streamOf(bytes);
      stream.getReader();
      return stream;
    },
  ],
  [
    'a stream that fails with a text',
    'DOWNLOAD',
    /was interrupted after 0 bytes: no more/,
    () => new ReadableStream({ start: (c) => c.error('no more') }),
  ],
  [
    'a stream of text',
    'INVALID_ARGUMENT',
    /must contain Uint8Array, not string/,
    () => new ReadableStream({ start: (c) => c.enqueue('x' as never) }),
  ],
];
test('a response that is used up or a failure is refused', async () => {
  const used = await fetch(at('/model.onnx'));
  await used.arrayBuffer();
  await expectRejection('INVALID_ARGUMENT', /model.onnx .*was already read/, InferenceSession.create(used));
  const absent = await fetch(at('/none.onnx'));
  await expectRejection('DOWNLOAD', /cannot fetch .*none.onnx: 404 Not Found/, InferenceSession.create(absent));
});

for (const [what, code, message, source] of REFUSED)
  test(`${what} is refused`, () => expectRejection(code as never, message, InferenceSession.create(source())));

test('progress: every byte, never backwards, nothing once create has settled', async () => {
  const cases: [DataSource, Record<string, number>][] = [
    [at('/external/model.onnx'), { [at('/external/model.onnx')]: model.length, 'weights.bin': weights.length }],
    [at('/gzip.onnx'), { [at('/gzip.onnx')]: bytes.length }],
    [streamOf(bytes), { model: bytes.length }],
    [bytes, { model: bytes.length }],
    [file('external.onnx'), { [file('external.onnx')]: model.length }],
  ];
  for (const [source, sizes] of cases) {
    const seen: LoadProgress[] = [];
    let settled = false;
    const note = (progress: LoadProgress) => {
      assert.not(settled);
      seen.push(progress);
    };
    await InferenceSession.create(source, { onProgress: note });
    settled = true;
    const last = new Map<string, LoadProgress>();
    let sum = 0;
    for (const progress of seen) {
      assert.ok(progress.loaded >= (last.get(progress.file)?.loaded ?? 0));
      assert.ok(progress.all.loaded >= sum);
      assert.ok(progress.total === undefined || progress.loaded <= progress.total);
      sum = progress.all.loaded;
      last.set(progress.file, progress);
    }
    assert.equal(Object.fromEntries([...last].map(([name, { loaded }]) => [name, loaded])), sizes);
    const all = Object.values(sizes).reduce((a, b) => a + b);
    assert.equal(seen.at(-1)?.all, { loaded: all, total: all });
  }
});

test('a signal stops the transfer', async () => {
  const controller = new AbortController();
  const closed = new Promise((resolve) => {
    server.handlers['/stopped.onnx'] = (_, response) => {
      response.writeHead(200, { 'content-length': bytes.length });
      response.write(bytes.subarray(0, 3000));
      response.on('close', resolve);
    };
  });
  const onProgress = ({ loaded }: LoadProgress) => void (loaded > 0 && controller.abort('enough'));
  const creating = InferenceSession.create(at('/stopped.onnx'), { signal: controller.signal, onProgress });
  const error = await creating.then(
    () => assert.unreachable(),
    (reason) => reason,
  );
  assert.equal([error.code, error.name, error.cause], ['ABORTED', 'AbortError', 'enough']);
  await closed;
  const signal = AbortSignal.abort();
  for (const source of [bytes, at('/model.onnx'), file('model.onnx'), streamOf(bytes)])
    await expectRejection('ABORTED', /loading was aborted/, InferenceSession.create(source, { signal }));
});

test.run();
