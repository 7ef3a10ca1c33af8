import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { byTier } from '../tier.js';
import { type Bundler, bundle, bundleScript } from './bundles.js';
import { type Browser, chromium } from './chromium.js';
import { packedPackage, peers } from './packed-package.js';
import { type Site, serve } from './site.js';

interface Outcome {
  readonly error?: number;
  readonly threads?: number;
  readonly message?: string;
  /** Other ways to run on the same page. */
  readonly rare?: Outcome;
  readonly worker?: Outcome;
  readonly pool?: Outcome;
}

interface Visit extends Outcome {
  /** What the page wrote on its console, errors included. */
  readonly complaints: readonly string[];
}

const test = suite<{ site: Site; browser: Browser }>('Chromium');
const launch = chromium();

/** Bytes of scripts and kernels, with gzip, that a page may need for its first inference. */
const MOST_LOADED = 160_000;

/** Servers of HTTP/1.1 are asked for six files at a time. */
const MOST_FILES = 8;

/** The page, its policy, and the threads that are to join: 0 asks for none, 2 for two. Pages that only ask for two are tried in browsers/. */
const CASES: readonly (readonly [name: string, script: string, policy: string, asked: number, joined: number])[] = [
  ['main thread', 'page.js', 'none', 0, 1],
  ['main thread, all at hand', 'inline-page.js', 'none', 0, 1],
  ['dedicated worker', 'in-worker.js', 'none', 0, 1],
  ['dedicated worker, isolated', 'in-worker.js', 'isolated', 2, 2],
  ['main thread, workers forbidden', 'page.js', 'no workers, isolated', 2, 1],
  ['main thread, a worker without a script', 'page.js&workerUrl=/absent.js', 'isolated', 2, 1],
  ['main thread, a worker that never starts', 'page.js&workerUrl=/never/', 'isolated', 2, 1],
  ['main thread, a worker that starts late', 'late-threads.js', 'isolated', 2, 2],
  ['strict policy', 'page.js', 'strict', 0, 1],
  ['strict policy, all at hand', 'inline-page.js', 'strict', 0, 1],
];

const inServiceWorker = (worker: string, type: string, model: string) =>
  `page?script=in-service-worker.js&policy=none&worker=/${worker}&type=${type}&model=${model}`;

const ALL_BUNDLERS: readonly Bundler[] = ['vite', 'the server of vite', 'webpack', 'esbuild'];
const BUNDLERS = byTier({ quick: ['vite'], ci: ['vite'], all: ALL_BUNDLERS } as const);

if (launch) {
  const installed = peers() as string;

  test.before(async (context) => {
    const { folder } = packedPackage();
    context.site = await serve(folder, {
      '/never/': () => {},
      '/late/': (_, response) => {
        const script = readFileSync(join(folder, 'node_modules/sardonyx/build/kernel-worker.js'));
        const headers = { 'content-type': 'text/javascript', 'cross-origin-embedder-policy': 'require-corp' };
        setTimeout(() => response.writeHead(200, headers).end(script), 3000);
      },
    });
    context.browser = await launch();
  });

  test.after(async ({ site, browser }) => {
    await browser.close();
    site.close();
  });

  for (const [name, script, policy, asked, joined] of CASES)
    test(name, async ({ site, browser }) => {
      const query = `script=${script}&policy=${encodeURIComponent(policy)}&threads=${asked}`;
      const { complaints } = await expectOutcome(browser, `${site.address}/page?${query}`, joined);
      if (joined < asked)
        assert.match(complaints.join('\n'), /threads? (were requested, but|is missing|have not started)/);
    });

  test('a policy that forbids WebAssembly is named, all at hand', async ({ site, browser }) => {
    const query = `script=inline-page.js&policy=${encodeURIComponent('no WebAssembly')}&threads=0`;
    const found = outcome(browser, `${site.address}/page?${query}`);
    const message = await found.then(
      (unexpected) => JSON.stringify(unexpected),
      (error: Error) => error.message,
    );
    assert.match(message, /content security policy forbids WebAssembly.*add 'wasm-unsafe-eval' to script-src/);
    assert.not.match(message, 'sardonyx/inline');
  });

  test('service worker', async ({ site, browser }) => {
    await expectOutcome(browser, `${site.address}/${inServiceWorker('service-worker.js', 'module', 'model')}`, 1);
  });

  test('service worker, operators that are imported when they are needed', async ({ site, browser }) => {
    const outcomeOf = (worker: string, type: string) =>
      outcome(browser, `${site.address}/${inServiceWorker(worker, type, 'rare')}`);
    await bundleScript('classic-service-worker.js', packedPackage().folder, installed);
    assert.is((await outcomeOf('inline-service-worker.js', 'module')).error, 0);
    assert.is((await outcomeOf('esbuild-classic-service-worker.js', 'classic')).error, 0);
    assert.match((await outcomeOf('service-worker.js', 'module')).message ?? '', 'sardonyx/inline includes them');
  });

  test('a first inference loads little', async ({ site, browser }) => {
    site.loaded.clear();
    await expectOutcome(browser, `${site.address}/page?script=page.js&policy=none&threads=0`, 1);
    const loaded = [...site.loaded].filter(([path]) => /sardonyx\/.*\.(js|wasm)$/.test(path));
    const bytes = loaded.reduce((sum, [, size]) => sum + size, 0);
    console.log(`${(bytes / 1000).toFixed(1)} kB with gzip in ${loaded.length} files`);
    assert.ok(bytes <= MOST_LOADED && loaded.length <= MOST_FILES, loaded.join('\n'));
  });

  for (const bundler of BUNDLERS)
    test(`bundled by ${bundler}`, async ({ site, browser }) => {
      const { page, threads, close } = await bundle(bundler, packedPackage().folder, installed);
      const address = new URL(`${page}&threads=${threads}`, site.address).href;
      const { rare, worker, pool } = await expectOutcome(browser, address, threads).finally(close);
      if (bundler === 'esbuild') return;
      assert.is(rare?.error, 0);
      assert.is(worker?.threads, threads);
      for (const way of [worker, pool]) assert.ok((way?.error as number) <= 1e-5);
    });
}

async function outcome(browser: Browser, address: string): Promise<Visit> {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message ?? ''));
  page.on('console', (message) => complaints.push(message.text?.() ?? ''));
  try {
    await page.goto(address);
    const late = `new Promise((resolve) => setTimeout(resolve, 30_000, { message: 'no answer' }))`;
    const found = await page.evaluate<Outcome | undefined>(`Promise.race([globalThis.outcome, ${late}])`);
    return { ...found, complaints };
  } finally {
    await page.close();
  }
}

async function expectOutcome(browser: Browser, address: string, threads: number): Promise<Visit> {
  const found = await outcome(browser, address);
  assert.ok((found.error as number) <= 1e-5, JSON.stringify(found));
  assert.is(found.threads, threads, found.complaints.join('\n'));
  return found;
}

test.run();
