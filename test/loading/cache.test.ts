import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type CachePlace, cached, list, remove } from '../../src/cache/index.js';
import type { LoadProgress, SardonyxError } from '../../src/index.js';
import { expectRejection } from '../expect-error.js';
import { check } from './check-product.js';
import { memoryCacheStorage } from './memory-cache-storage.js';
import { product, withExternalWeights } from './models.js';
import { brokenAfter, type Handler, serve, whole } from './server.js';

const bytes = product();
const { model, weights } = withExternalWeights();
const sha256 = (data: Uint8Array) => `sha256-${createHash('sha256').update(data).digest('base64')}`;

/** A server that knows ranges, and breaks off after `most` bytes of each answer. */
const ranged =
  (data: Uint8Array, tag: string, most = data.length): Handler =>
  (request, response) => {
    const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const begin = request.headers['if-range'] === tag ? start : 0;
    const headers = { etag: tag, 'content-length': data.length - begin };
    if (begin > 0)
      response.writeHead(206, { ...headers, 'content-range': `bytes ${begin}-${data.length - 1}/${data.length}` });
    else response.writeHead(200, headers);
    const part = data.subarray(begin, begin + most);
    if (begin + part.length === data.length) response.end(part);
    else response.write(part, () => setTimeout(() => response.destroy(), 20));
  };

const server = await serve({});
const at = (path: string) => `${server.url}${path}`;
const asked = (path: string) => server.requests.filter((request) => request.path === path).map(({ range }) => range);
const base = mkdtempSync(join(tmpdir(), 'sardonyx-'));
globalThis.caches = memoryCacheStorage();
let places = 0;

const errorOf = (work: Promise<unknown>): Promise<SardonyxError> =>
  work.then(
    () => assert.unreachable() as never,
    (error) => error,
  );

const KINDS: Record<string, () => CachePlace> = {
  'a folder': () => ({ folder: join(base, `place${places++}`) }),
  'the Cache API': () => ({ name: `place${places++}` }),
};

for (const [kind, newPlace] of Object.entries(KINDS)) {
  const test = suite(`a cache in ${kind}`);
  let place = newPlace();
  test.before.each(() => {
    place = newPlace();
    server.requests.length = 0;
  });

  for (const vary of ['Origin', '*'])
    test(`finds what it has kept where the server says that answers vary by ${vary}`, async () => {
      server.handlers['/varies.onnx'] = whole(bytes, { vary });
      await check(await cached(at('/varies.onnx'), place));
      delete server.handlers['/varies.onnx'];
      await check(await cached(at('/varies.onnx'), place));
      assert.is(asked('/varies.onnx').length, 1);
    });

  test('downloads once, then works with the network off; lists and removes', async () => {
    server.handlers['/m.onnx'] = whole(bytes, { etag: '"1"' });
    await check(await cached(at('/m.onnx'), place));
    delete server.handlers['/m.onnx'];
    await check(await cached(new URL(at('/m.onnx')), place));
    assert.is(asked('/m.onnx').length, 1);
    const [file, ...others] = await list(place);
    assert.equal([file?.url, file?.bytes, file?.integrity, others], [at('/m.onnx'), bytes.length, undefined, []]);
    assert.is(await remove(at('/m.onnx'), place), true);
    assert.is(await remove(at('/m.onnx'), place), false);
    assert.equal(await list(place), []);
    if (place.folder) assert.equal(readdirSync(place.folder), []);
    await expectRejection('DOWNLOAD', /404/, cached(at('/m.onnx'), place));
  });

  test('a broken connection is taken up where it was interrupted', async () => {
    server.handlers['/r.onnx'] = ranged(bytes, '"1"', 80_000);
    const seen: LoadProgress[] = [];
    await check(await cached(at('/r.onnx'), { ...place, onProgress: (progress) => seen.push(progress) }));
    const ranges = asked('/r.onnx');
    assert.ok(ranges.length >= 3 && ranges.slice(1).every((range) => range !== undefined && range !== 'bytes=0-'));
    seen.reduce((before, now) => {
      assert.ok(now.loaded >= before.loaded);
      return now;
    });
    assert.equal(seen.at(-1)?.all, { loaded: bytes.length, total: bytes.length });
  });

  test('so it is in a later call, and never before it is whole is it to be had', async () => {
    server.handlers['/l.onnx'] = brokenAfter(bytes, 90_000, { etag: '"1"' });
    const before = await errorOf(cached(at('/l.onnx'), place));
    assert.equal([before.code, /was interrupted/.test(before.message)], ['DOWNLOAD', true]);
    assert.equal(await list(place), []);
    server.requests.length = 0;
    server.handlers['/l.onnx'] = ranged(bytes, '"1"');
    await check(await cached(at('/l.onnx'), { ...place, integrity: sha256(bytes) }));
    assert.match(asked('/l.onnx')[0] ?? '', /^bytes=\d+-$/);
    assert.is((await list(place))[0]?.integrity, sha256(bytes));
  });

  test('another version is not mixed with what is there', async () => {
    server.handlers['/v.onnx'] = brokenAfter(new Uint8Array(bytes.length).fill(255), 90_000, { etag: '"old"' });
    await errorOf(cached(at('/v.onnx'), place));
    server.handlers['/v.onnx'] = ranged(bytes, '"new"');
    await check(await cached(at('/v.onnx'), { ...place, integrity: sha256(bytes) }));
  });

  test('a rest is taken only of the same version, and as far as it comes', async () => {
    const rest =
      (tag: string, most: number): Handler =>
      ({ headers: { range } }, response) => {
        const begin = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
        const part = bytes.subarray(begin, begin + most);
        const headers = { 'content-range': `bytes ${begin}-${begin + part.length - 1}/${bytes.length}` };
        const status = begin > 0 || part.length < bytes.length ? 206 : 200;
        response
          .writeHead(status, { etag: tag, 'content-length': part.length, ...(status === 206 && headers) })
          .end(part);
      };
    server.handlers['/o.onnx'] = brokenAfter(new Uint8Array(bytes.length).fill(255), 90_000, { etag: '"old"' });
    await errorOf(cached(at('/o.onnx'), place));
    server.handlers['/o.onnx'] = rest('"new"', bytes.length);
    await check(await cached(at('/o.onnx'), place));
    server.handlers['/c.onnx'] = rest('"1"', 50_000);
    await check(await cached(at('/c.onnx'), place));
    server.handlers['/c.onnx'] = rest('W/"1"', 50_000);
    await remove(at('/c.onnx'), place);
    await expectRejection('DOWNLOAD', /was interrupted after 50000 of \d+ bytes/, cached(at('/c.onnx'), place));
    assert.is((await list(place)).length, 1);
  });

  test('what is no URL is refused', async () => {
    for (const work of [cached('x', place), remove('x', place)])
      await expectRejection('INVALID_ARGUMENT', /invalid URL "x"/, work);
  });

  test('without a tag, or with one that compression shares, nothing half is left', async () => {
    for (const headers of [{}, { etag: 'W/"1"' }]) {
      server.handlers['/u.onnx'] = brokenAfter(bytes, 90_000, headers as Record<string, string>);
      await errorOf(cached(at('/u.onnx'), place));
      if (place.folder) assert.equal(readdirSync(place.folder), []);
      assert.equal(await list(place), []);
    }
  });

  test('a hash is held; what has another is not kept', async () => {
    server.handlers['/h.onnx'] = whole(bytes, { etag: '"1"' });
    const wrong = sha256(weights);
    await expectRejection(
      'INTEGRITY',
      /has the hash sha256-.*, not sha256-/,
      cached(at('/h.onnx'), { ...place, integrity: wrong }),
    );
    assert.equal(await list(place), []);
    const hex = createHash('sha256').update(bytes).digest('hex');
    await check(await cached(at('/h.onnx'), { ...place, integrity: hex }));
    await expectRejection(
      'INVALID_ARGUMENT',
      /integrity must be/,
      cached(at('/h.onnx'), { ...place, integrity: 'md5-1' }),
    );
    const newer = product();
    newer[newer.length - 1] = (newer.at(-1) ?? 0) ^ 1;
    server.handlers['/h.onnx'] = whole(newer, { etag: '"1"' });
    await cached(at('/h.onnx'), { ...place, integrity: sha256(newer) });
    assert.is((await list(place))[0]?.integrity, sha256(newer));
  });

  test('external files are kept too, at the first load or at once', async () => {
    server.handlers['/e/model.onnx'] = whole(model);
    server.handlers['/e/weights.bin'] = whole(weights);
    await check(await cached(at('/e/model.onnx'), place));
    assert.is((await list(place)).length, 2);
    const external = { externalData: [{ path: 'weights.bin', integrity: sha256(weights) }] };
    const other = newPlace();
    await cached(at('/e/model.onnx'), { ...other, ...external });
    delete server.handlers['/e/model.onnx'];
    delete server.handlers['/e/weights.bin'];
    await check(await cached(at('/e/model.onnx'), place));
    await check(await cached(at('/e/model.onnx'), other));
  });

  test('calls at the same time share one download, which one of them may leave', async () => {
    const controller = new AbortController();
    const first = errorOf(cached(at('/s.onnx'), { ...place, signal: controller.signal }));
    const second = cached(at('/s.onnx'), place);
    server.handlers['/s.onnx'] = async (_, response) => {
      response.writeHead(200, { 'content-length': bytes.length });
      response.write(bytes.subarray(0, 1000));
      controller.abort('enough');
      await first;
      response.end(bytes.subarray(1000));
    };
    const error = await first;
    assert.equal([error.code, error.name, error.cause], ['ABORTED', 'AbortError', 'enough']);
    await check(await second);
    assert.is(asked('/s.onnx').length, 1);
  });

  test('who throws in a progress callback leaves alone', async () => {
    server.handlers['/t.onnx'] = whole(bytes);
    const onProgress = () => {
      throw new Error('mine');
    };
    const thrower = errorOf(cached(at('/t.onnx'), { ...place, onProgress }));
    await check(await cached(at('/t.onnx'), place));
    assert.equal([(await thrower).code, (await thrower).message], ['INVALID_ARGUMENT', 'onProgress failed: mine']);
  });

  test('when all have left, the download stops, and a new one begins', async () => {
    const stopped = new Promise((resolve) => {
      server.handlers['/a.onnx'] = (_, response) => {
        response.writeHead(200, { 'content-length': bytes.length, etag: '"1"' }).write(bytes.subarray(0, 1000));
        response.on('close', resolve);
      };
    });
    const controller = new AbortController();
    const onProgress = ({ loaded }: LoadProgress) => void (loaded > 0 && controller.abort());
    const left = errorOf(cached(at('/a.onnx'), { ...place, signal: controller.signal, onProgress }));
    await stopped;
    server.handlers['/a.onnx'] = ranged(bytes, '"1"');
    await check(await cached(at('/a.onnx'), place));
    assert.is((await left).code, 'ABORTED');
  });

  test('a page is not kept', async () => {
    server.handlers['/p.onnx'] = whole(bytes, { 'content-type': 'text/html' });
    await expectRejection('INVALID_MODEL', /is a web page/, cached(at('/p.onnx'), place));
    assert.equal(await list(place), []);
  });

  test.run();
}

const more = suite('caches in need');

more('a file that has lost its end is fetched again', async () => {
  const folder = join(base, 'cut');
  server.handlers['/c.onnx'] = whole(bytes, { etag: '"1"' });
  await cached(at('/c.onnx'), { folder });
  const file = readdirSync(folder).find((name) => name.endsWith('.data')) ?? '';
  truncateSync(join(folder, file), 1000);
  await check(await cached(at('/c.onnx'), { folder }));
});

more('what is no address is refused', async () => {
  await expectRejection('INVALID_ARGUMENT', /invalid URL "a.onnx"/, cached('a.onnx', { folder: base }));
});

more('what is removed while it comes is not given', async () => {
  const folder = join(base, 'removed');
  let remove = () => {};
  const removed = new Promise<void>((resolve) => {
    remove = resolve;
  });
  server.handlers['/d.onnx'] = async (_, response) => {
    response.writeHead(200, { 'content-length': bytes.length }).write(bytes.subarray(0, 1000));
    await removed;
    response.end(bytes.subarray(1000));
  };
  const gone = errorOf(cached(at('/d.onnx'), { folder }));
  const hasCome = (name: string) => name.endsWith('.data') && statSync(join(folder, name)).size > 0;
  while (!existsSync(folder) || !readdirSync(folder).some(hasCome)) await delay(1);
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  remove();
  const { code, message } = await gone;
  assert.equal([code, /was removed/.test(message)], ['STORAGE', true]);
});

more('spoiled notes count for nothing, and lead nowhere else', async () => {
  const folder = join(base, 'spoiled');
  server.handlers['/n.onnx'] = whole(bytes);
  for (const note of ['', '5', 'null', '{}', JSON.stringify({ url: at('/n.onnx'), file: '../other', bytes: 4 })]) {
    await cached(at('/n.onnx'), { folder });
    writeFileSync(join(base, 'other'), 'data');
    const entry = readdirSync(folder).find((name) => name.endsWith('.entry')) ?? '';
    writeFileSync(join(folder, entry), note);
    assert.equal(await list({ folder }), []);
    await check(await cached(at('/n.onnx'), { folder }));
  }
  await expectRejection('STORAGE', /ENOTDIR/, list({ folder: join(base, 'other') }));
});

more('a full store says so', async () => {
  globalThis.caches = memoryCacheStorage(100_000);
  server.handlers['/q.onnx'] = whole(bytes);
  await expectRejection('STORAGE', /there is no space to store the file/, cached(at('/q.onnx'), { name: 'small' }));
  assert.equal(await list({ name: 'small' }), []);
});

more.after(async () => {
  rmSync(base, { recursive: true });
  await server.close();
});
more.run();
