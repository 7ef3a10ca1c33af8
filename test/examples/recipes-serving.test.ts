import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { exampleFolder, install } from './installed-example.js';
import { DIGITS_MODEL, digit, file, scratch } from './recipe-data.js';
import { slow } from './recipe-models.js';
import { printed, run, start } from './recipe-run.js';

const test = suite('recipes for folders, servers, workers, caches, progress and cancelling');
const recipes = exampleFolder('recipes');

const SCRIPTS = [
  'batch-folder.js',
  'cache-offline.js',
  'cancel.js',
  'classify.js',
  'embed.js',
  'in-worker.js',
  'score-table.js',
  'serve-hono.js',
  'serve-http.js',
  'show-progress.js',
];

if (install(recipes)) {
  test('batch a folder', async () => {
    const folder = join(scratch, 'pictures');
    mkdirSync(folder);
    const digits = Array.from({ length: 24 }, (_, i) => digit(i));
    const name = (i: number) => `${i}`.padStart(2, '0');
    for (const [i, { png }] of digits.entries()) writeFileSync(join(folder, `${name(i)}.png`), png);
    writeFileSync(join(folder, '05-broken.png'), 'no picture');
    writeFileSync(join(folder, 'notes.txt'), 'none either');
    const { code, output, errors } = await run(recipes, 'batch-folder.js', DIGITS_MODEL, folder, 'unit');
    assert.is(output, digits.map(({ label }, i) => `${name(i)}.png: ${label}\n`).join(''));
    assert.match(errors, /^05-broken\.png: /);
    assert.is(code, 1);
  });

  for (const script of ['serve-http.js', 'serve-hono.js'])
    test(`serve over HTTP: ${script}`, async () => {
      const server = start(recipes, [script, DIGITS_MODEL, '0', 'unit']);
      try {
        const address = await server.says(/http:\S+(?=\n)/);
        const post = (body: BodyInit) => fetch(address, { method: 'POST', body });
        const answers = Array.from({ length: 8 }, async (_, i) => {
          const response = await post(digit(i).png as Uint8Array<ArrayBuffer>);
          assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
          return ((await response.json()) as { index: number }[])[0]?.index;
        });
        assert.equal(
          await Promise.all(answers),
          Array.from({ length: 8 }, (_, i) => digit(i).label),
        );
        const garbage = await post('no picture');
        assert.is(garbage.status, 400);
        assert.match(((await garbage.json()) as { error: string }).error, 'picture');
        assert.is((await fetch(address)).status, 404);
        const tooMuch = await post(new Uint8Array(10_000_001)).then(
          ({ status }) => status,
          () => 413,
        );
        assert.is(tooMuch, 413);
        const left = new AbortController();
        const gone = fetch(address, {
          method: 'POST',
          body: digit(0).png as Uint8Array<ArrayBuffer>,
          signal: left.signal,
        });
        left.abort();
        assert.is(await gone.catch(({ name }) => name), 'AbortError');
        assert.is((await post(digit(1).png as Uint8Array<ArrayBuffer>)).status, 200);
        server.process.kill('SIGTERM');
        const { code, errors } = await server.ended;
        assert.equal([code, errors], [0, '']);
      } finally {
        server.process.kill('SIGKILL');
      }
    });

  test('run in a worker', async () => {
    const [ran, kept] = await printed(recipes, 'in-worker.js', file('some.onnx', slow(100)));
    assert.match(ran as string, /^\d+\.\d ms for y$/);
    const [run, longest] = [ran, kept].map((line) => Number(/(\d+\.\d) ms/.exec(line as string)?.[1])) as [
      number,
      number,
    ];
    assert.ok(longest < run / 2, `${longest} of ${run} ms`);
  });

  test('cache offline', async () => {
    const bytes = readFileSync(DIGITS_MODEL);
    const server = await serve((response) => response.writeHead(200, { vary: 'Origin' }).end(bytes));
    const env = { SARDONYX_CACHE: join(scratch, 'cache') };
    const ask = (...more: string[]) => start(recipes, ['cache-offline.js', server.address, ...more], env).ended;
    const said = `inputs: image, outputs: probabilities\ncached: ${server.address}, ${bytes.length} bytes\n`;
    assert.equal(await ask(), { code: 0, output: said, errors: '' });
    server.stop();
    assert.equal(await ask(), { code: 0, output: said, errors: '' });
    assert.match((await ask('00'.repeat(32))).errors, /INTEGRITY|ECONNREFUSED|no connection/);
    const full = start(recipes, ['cache-offline.js', server.address], { SARDONYX_CACHE: DIGITS_MODEL });
    assert.match((await full.ended).errors, 'the model is not cached');
  });

  test('show progress', async () => {
    const bytes = readFileSync(DIGITS_MODEL);
    for (const length of [bytes.length, undefined]) {
      const server = await serve(async (response) => {
        response.writeHead(200, length ? { 'content-length': length } : {});
        for (let at = 0; at < bytes.length; at += 6000) {
          response.write(bytes.subarray(at, at + 6000));
          await new Promise((next) => setTimeout(next, 30));
        }
        response.end();
      });
      const { code, output, errors } = await run(recipes, 'show-progress.js', server.address);
      server.stop();
      assert.equal([code, output.trim()], [0, 'ready: image to probabilities']);
      const lines = errors.trimEnd().split('\n');
      const figures = lines.map((line) => Number(/([\d.]+) (%|MB)$/.exec(line)?.[1]));
      assert.ok(lines.length >= 5, errors);
      assert.equal(
        figures,
        [...figures].sort((a, b) => a - b),
      );
      assert.ok(
        lines.slice(0, -1).every((line) => line.endsWith(length ? ' %' : ' MB')),
        errors,
      );
      assert.is(lines.at(-1), `${'█'.repeat(20)} 100 %`);
    }
  });

  test('cancel a download', async () => {
    let isGone = false;
    let isAsked = () => {};
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    const server = await serve((response) => {
      response.on('close', () => {
        isGone = true;
      });
      response.writeHead(200, { 'content-length': 1_000_000 }).write(readFileSync(DIGITS_MODEL), () => isAsked());
    });
    const recipe = start(recipes, ['cancel.js', server.address]);
    await asked;
    recipe.process.kill('SIGINT');
    assert.equal(await recipe.ended, { code: 130, output: 'stopped: interrupted\n', errors: '' });
    assert.ok(isGone);
    server.stop();
  });

  test('cancel a run', async () => {
    const model = file('slow.onnx', slow(6000));
    const recipe = start(recipes, ['cancel.js', model]);
    await recipe.says(/loaded/);
    await new Promise((next) => setTimeout(next, 500));
    recipe.process.kill('SIGINT');
    assert.equal(await recipe.ended, { code: 130, output: 'loaded\nstopped: interrupted\n', errors: '' });
    const late = await run(recipes, 'cancel.js', model, '3');
    assert.is(late.code, 130);
    assert.match(late.output, /stopped: timed out\n$/);
    assert.equal((await printed(recipes, 'cancel.js', file('quick.onnx', slow(1)))).at(-1), 'done');
  });

  test('say how they are used', async () => {
    for (const script of SCRIPTS) {
      const { code, errors } = await run(recipes, script);
      assert.is(code, 1);
      assert.match(errors, `usage: node ${script} `);
    }
  });
}

/** A server of one answer. */
async function serve(answer: (response: ServerResponse) => unknown) {
  const server = createServer((_, response) => void answer(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/model.onnx`, stop };
}

test.run();
