import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { cached, list } from '../../src/cache/index.js';
import { type DataSource, InferenceSession, SardonyxError } from '../../src/index.js';
import { expectRejection } from '../expect-error.js';
import { expected, feeds, product } from '../loading/models.js';
import { type Handler, inPieces, serve, whole } from '../loading/server.js';
import { sampled } from '../tier.js';
import { inTime } from './in-time.js';

const downloads = sampled(suite('downloads that go wrong'), { quick: 1 / 3 });

const bytes = product();
const BOUNDARY = 65_536;
/** Where an answer is cut: at every boundary of 64 kB, and just before its end. */
const CUTS = [...Array.from({ length: Math.ceil(bytes.length / BOUNDARY) }, (_, i) => i * BOUNDARY), bytes.length - 1];

const server = await serve({});
const base = mkdtempSync(join(tmpdir(), 'sardonyx-'));
let names = 0;

/** An address of its own that is answered so. */
function addressOf(handler: Handler) {
  const path = `/${names++}.onnx`;
  server.handlers[path] = handler;
  const answer = (other: Handler) => {
    server.handlers[path] = other;
  };
  return { url: `${server.url}${path}`, answer };
}

const newFolder = () => join(base, `cache${names++}`);

downloads.after(async () => {
  await server.close();
  rmSync(base, { recursive: true, force: true });
});

async function check(source: DataSource): Promise<void> {
  const session = await inTime('create', InferenceSession.create(source));
  const { y } = await session.run(feeds);
  assert.equal((y as { data: Float32Array }).data, expected);
  await session.release();
}

interface Service {
  readonly headers: Record<string, string>;
  /** Whether it answers a request for the rest with the rest. */
  readonly ranges: boolean;
}

const SERVICES: Readonly<Record<string, Service>> = {
  'with ranges and a strong tag': { headers: { etag: '"1"' }, ranges: true },
  'with ranges and no tag': { headers: {}, ranges: true },
  'with ranges and a weak tag': { headers: { etag: 'W/"1"' }, ranges: true },
  'with no ranges and a strong tag': { headers: { etag: '"1"' }, ranges: false },
  'with neither': { headers: {}, ranges: false },
};

/** Sends up to `cut` bytes of the file in its first answer, and all that was asked for in later ones. */
function cutOnce({ headers, ranges }: Service, cut: number) {
  const seen = { cuts: 0, ranges: 0 };
  const handler: Handler = (request, response) => {
    const start = ranges ? Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0) : 0;
    const rest = bytes.subarray(start);
    const all = { 'content-length': rest.length, ...headers };
    if (start > 0) {
      seen.ranges++;
      response.writeHead(206, { ...all, 'content-range': `bytes ${start}-${bytes.length - 1}/${bytes.length}` });
    } else response.writeHead(200, all);
    if (seen.cuts > 0) return void response.end(rest);
    seen.cuts++;
    const hangUp = () => setTimeout(() => response.destroy(), 10);
    if (cut > 0) response.write(rest.subarray(0, cut), hangUp);
    else {
      response.flushHeaders();
      hangUp();
    }
  };
  return { seen, handler };
}

for (const [name, service] of Object.entries(SERVICES)) {
  downloads(`${name}, cut at any boundary: create says where, and the next try is right`, async () => {
    let cuts = 0;
    for (const cut of CUTS) {
      const { seen, handler } = cutOnce(service, cut);
      const { url } = addressOf(handler);
      await expectRejection(
        'DOWNLOAD',
        /was interrupted after \d+ of \d+ bytes/,
        inTime('create', InferenceSession.create(url)),
      );
      await check(url);
      cuts += seen.cuts;
    }
    assert.is(cuts, CUTS.length);
  });

  downloads(`${name}, cut at any boundary: a cache goes on with the rest where it may, and keeps no half`, async () => {
    let [cuts, resumed] = [0, 0];
    for (const cut of CUTS) {
      const { seen, handler } = cutOnce(service, cut);
      const { url } = addressOf(handler);
      const folder = newFolder();
      const first = await inTime('cached', cached(url, { folder })).catch((error: unknown) => error);
      if (first instanceof Error) {
        assert.instance(first, SardonyxError, first.stack);
        assert.is((first as SardonyxError).code, 'DOWNLOAD', first.stack);
        assert.equal(await list({ folder }), []);
      }
      await check(await inTime('cached', cached(url, { folder })));
      assert.is((await list({ folder }))[0]?.bytes, bytes.length);
      cuts += seen.cuts;
      resumed += seen.ranges;
    }
    console.log(`${name}: ${cuts} cuts, ${resumed} answers with the rest`);
    assert.is(cuts, CUTS.length);
    const mayResume = service.ranges && service.headers.etag === '"1"';
    assert.ok(mayResume ? resumed >= CUTS.length - 2 : resumed === 0, `${resumed} resumed`);
  });
}

const HALF = 2 * BOUNDARY;
type Answer = Readonly<{ status: number; headers: Record<string, string | number>; body: Uint8Array }>;
const tagged = { etag: '"1"' };
const rangeOf = (from: number, to: number, all: number | string) => `bytes ${from}-${to}/${all}`;
const last = bytes.length - 1;

/** What a server may answer to a request for the rest. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  'the rest': {
    ...{ status: 206, body: bytes.subarray(HALF) },
    headers: { ...tagged, 'content-range': rangeOf(HALF, last, bytes.length) },
  },
  'the rest of a file of unknown length': {
    ...{ status: 206, body: bytes.subarray(HALF) },
    headers: { ...tagged, 'content-range': rangeOf(HALF, last, '*') },
  },
  'another part': {
    ...{ status: 206, body: bytes.subarray(HALF - 100) },
    headers: { ...tagged, 'content-range': rangeOf(HALF - 100, last, bytes.length) },
  },
  'a part of no place': { status: 206, body: bytes.subarray(HALF), headers: tagged },
  'a part whose place is nonsense': {
    ...{ status: 206, body: bytes.subarray(HALF) },
    headers: { ...tagged, 'content-range': 'bytes what-ever' },
  },
  'the rest of another version': {
    ...{ status: 206, body: new Uint8Array(bytes.length - HALF) },
    headers: { etag: '"2"', 'content-range': rangeOf(HALF, last, bytes.length) },
  },
  'less than the rest': {
    ...{ status: 206, body: bytes.subarray(HALF, HALF + 1000) },
    headers: { ...tagged, 'content-range': rangeOf(HALF, HALF + 999, bytes.length) },
  },
  'the whole': { status: 200, body: bytes, headers: tagged },
  'that there is no such part': { status: 416, body: new Uint8Array(), headers: {} },
  'an error': { status: 500, body: new Uint8Array(), headers: {} },
};

for (const [name, { status, headers, body }] of Object.entries(ANSWERS))
  downloads(`asked for the rest, a server answers ${name}: the file is whole in the end`, async () => {
    let [begun, asked] = [0, 0];
    const { url, answer } = addressOf((request, response) => {
      if (request.headers.range && asked++ === 0) return void response.writeHead(status, headers).end(body);
      if (begun++ > 0) return whole(bytes, tagged)(request, response);
      response.writeHead(200, { ...tagged, 'content-length': bytes.length });
      return void response.write(bytes.subarray(0, HALF), () => setTimeout(() => response.destroy(), 10));
    });
    const folder = newFolder();
    const kept = await inTime('cached', cached(url, { folder })).catch((error: unknown) => error);
    assert.is(asked > 0, true, 'nothing was asked for');
    if (kept instanceof Error) {
      assert.is((kept as SardonyxError).code, 'DOWNLOAD', kept.stack);
      assert.equal(await list({ folder }), []);
    }
    answer(whole(bytes, tagged));
    await check(await inTime('cached', cached(url, { folder })));
  });

const WRONG: Readonly<Record<string, readonly [Handler, 'DOWNLOAD' | 'INVALID_MODEL']>> = {
  'a length that is too large': [
    (_, response) => {
      response.writeHead(200, { 'content-length': bytes.length + 1000 });
      response.write(bytes, () => setTimeout(() => response.destroy(), 10));
    },
    'DOWNLOAD',
  ],
  'a length that is too small': [
    (request) => {
      const { socket } = request;
      socket.end(
        Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 1000\r\n\r\n'), bytes]),
      );
    },
    'INVALID_MODEL',
  ],
  'a length that is none': [
    ({ socket }) => void socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: many\r\n\r\n'),
    'DOWNLOAD',
  ],
  'gzip that is cut': [
    (_, response) => {
      const zipped = gzipSync(bytes);
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': zipped.length });
      response.write(zipped.subarray(0, zipped.length >> 1), () => setTimeout(() => response.destroy(), 10));
    },
    'DOWNLOAD',
  ],
  'gzip that is none': [
    (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bytes.subarray(0, 5000)),
    'DOWNLOAD',
  ],
  'no answer but a closed door': [({ socket }) => void socket.destroy(), 'DOWNLOAD'],
};

for (const [name, [handler, code]] of Object.entries(WRONG))
  downloads(`${name} is an error of its own kind, and the next try is right`, async () => {
    const { url, answer } = addressOf(handler);
    const folder = newFolder();
    await expectRejection(code, /./, inTime('create', InferenceSession.create(url)));
    const kept = cached(url, { folder }).then((file) => InferenceSession.create(file));
    await expectRejection(code, /./, inTime('cached', kept));
    if (code === 'DOWNLOAD') assert.equal(await list({ folder }), []);
    answer(whole(bytes));
    await check(url);
    if (code === 'DOWNLOAD') await check(await cached(url, { folder }));
  });

const RIGHT: Readonly<Record<string, Handler>> = {
  'a slow trickle': inPieces(bytes, 499),
  'a slow trickle with a length': inPieces(bytes, 499, { 'content-length': `${bytes.length}` }),
  gzip: whole(gzipSync(bytes), { 'content-encoding': 'gzip', etag: '"1"' }),
  'gzip of no length': inPieces(gzipSync(bytes), 499, { 'content-encoding': 'gzip', etag: '"1"' }),
};

for (const [name, handler] of Object.entries(RIGHT))
  downloads(`${name} comes whole`, async () => {
    const { url } = addressOf(handler);
    await check(url);
    await check(await inTime('cached', cached(url, { folder: newFolder() })));
  });

downloads.run();
