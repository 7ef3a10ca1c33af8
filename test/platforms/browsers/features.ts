import { readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Kind, Left } from '../../lifecycles/lives.js';
import { tier } from '../../tier.js';
import { packedPackage } from '../packed-package.js';
import { type Site, serve } from '../site.js';
import { type Engine, engine, type Window } from './engines.js';

/** Threads that join when two are asked for: WebKitGTK has no SharedArrayBuffer. */
const JOINED: Readonly<Record<Engine, number>> = { firefox: 2, webkit: 1, chromium: 2 };

/** In a worker, 1 of 240 `new Worker` blocks for ever in Firefox 153, where others are ending: threads of sessions in workers are left out. */
const LIVES: Readonly<Record<Engine, readonly (readonly [Kind, number])[]>> = {
  firefox: [['session', 2], ['worker', 1], ...(tier === 'all' ? ([['pool', 1]] as const) : [])],
  webkit: [['worker', 1]],
  chromium: [
    ['session', 2],
    ['worker', 2],
    ['pool', 1],
  ],
};

/** What a page may do that is isolated and under a strict policy, it may do with the first alone. */
const POLICIES = tier === 'all' ? ['none', 'isolated', 'strict, isolated'] : ['none', 'strict, isolated'];

type Found = { readonly error: number; readonly threads?: number };

const lives = transformSync(readFileSync(new URL('../../lifecycles/lives.ts', import.meta.url), 'utf8'), {
  loader: 'ts',
});

/** What the package does in pages of a browser, with values to compare. */
export function testFeatures(name: Engine): void {
  const test = suite<{ site: Site; window: Window }>(name);
  const open = engine(name);
  if (!open) return;

  test.before(async (context) => {
    context.site = await serve(packedPackage().folder, {
      '/lives.js': (_, response) => response.writeHead(200, { 'content-type': 'text/javascript' }).end(lives.code),
    });
    context.window = await open();
  });

  test.after(async ({ site, window }) => {
    await window?.close();
    site?.close();
  });

  const visit = async ({ site, window }: { site: Site; window: Window }, policy: string, script = 'browsers.js') => {
    await window.goto(`${site.address}/page?script=${script}&policy=${encodeURIComponent(policy)}`);
    await window.evaluate(`while (document.title !== 'ready') await new Promise((next) => setTimeout(next, 20));`);
  };
  /** Calls one of `checks` in app/browsers.js. */
  const call = <T>(window: Window, check: string, ...given: unknown[]) =>
    window.evaluate<T>(`return globalThis.checks[given[0]](...given.slice(1));`, [check, ...given]);

  for (const policy of POLICIES)
    test(`runs on the page's thread, in a worker and in a pool; policy: ${policy}`, async (context) => {
      await visit(context, policy);
      const { found, warnings } = await call<{ found: Record<string, Found>; warnings: readonly string[] }>(
        context.window,
        'ways',
        2,
      );
      for (const [way, { error }] of Object.entries(found)) assert.ok(error <= 1e-5, `${way}: ${error}`);
      const joined = policy === 'none' ? 1 : JOINED[name];
      for (const way of ['main', 'worker']) assert.is(found[way]?.threads, joined, way);
      const complaint =
        policy === 'none' ? /2 threads.*not cross-origin isolated/ : /2 threads.*SharedArrayBuffer is not available/;
      if (joined === 1) assert.match(warnings.join('\n'), complaint);
      else assert.equal(warnings, []);
    });

  test('a policy without wasm-unsafe-eval is named', async ({ site, window }) => {
    await window.goto(`${site.address}/page?script=page.js&policy=${encodeURIComponent('no WebAssembly')}&threads=0`);
    const message = await window.evaluate<string>(
      `while (!globalThis.outcome) await new Promise((next) => setTimeout(next, 20));
       return globalThis.outcome.then(JSON.stringify, ({ code, message }) => code + ' ' + message);`,
    );
    assert.match(
      message,
      /UNSUPPORTED_PLATFORM .*content security policy forbids WebAssembly.*add 'wasm-unsafe-eval' to script-src/s,
    );
    assert.not.match(message, 'sardonyx/inline');
  });

  test('a model from anything, here and in a worker', async (context) => {
    await visit(context, 'none');
    const outcomes = await call<Record<string, unknown>>(context.window, 'fromAnything');
    assert.is(Object.keys(outcomes).length, name === 'webkit' ? 9 : 10); // WebKitGTK writes no files into OPFS.
    for (const [source, found] of Object.entries(outcomes)) assert.equal(found, [true, true], source);
    const { missing, ...found } = await call<Record<string, unknown>>(context.window, 'withExternalData');
    assert.ok(
      Object.values(found).every((is) => is === true),
      JSON.stringify(found),
    );
    assert.match((missing as Error).message, 'external file "weights.bin" was not given; given: none');
    assert.ok((await call<string[]>(context.window, 'listed')).includes('/model.onnx'));
  });

  test('what is aborted, beyond limits, absent or released is refused', async ({ window }) => {
    const refused = ['ABORTED', true, 'ABORTED', 'LIMIT', 'DOWNLOAD', 'RELEASED'];
    assert.equal(await call(window, 'refusals'), { main: refused, worker: refused });
  });

  test('timers fire and frames are drawn during a loop of runs', async ({ window }) => {
    const { timers, frames } = await call<{ timers: number; frames: number }>(window, 'turns', 20_000);
    assert.ok(timers >= 3 && frames >= 3, `${timers} timers, ${frames} frames`);
  });

  test('sessions leave neither workers nor memories, however they end', async (context) => {
    await visit(context, 'isolated');
    for (const [kind, threads] of LIVES[name]) {
      const left = await call<Record<string, Left>>(context.window, 'lives', kind, threads);
      // Garbage is not collected there when a test would have it so.
      if (name === 'webkit')
        for (const life in left) if (left[life]?.workers === 0 || /forgotten/.test(life)) delete left[life];
      assert.equal(left, {}, `${kind}, threads: ${threads}`);
    }
  });

  test('service worker', async ({ site, window }) => {
    const query = 'script=in-service-worker.js&policy=none&worker=/inline-service-worker.js&type=module&model=model';
    await window.goto(`${site.address}/page?${query}`);
    const { error } = await window.evaluate<Found>('return globalThis.outcome;');
    assert.ok(error <= 1e-5);
  });

  test.run();
}
