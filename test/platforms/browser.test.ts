import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bundle } from './bundles.js';
import { type Browser, chromium } from './chromium.js';
import { packedPackage, peers } from './packed-package.js';
import { type Site, serve } from './site.js';

interface Outcome {
  readonly error?: number;
  readonly threads?: number;
  readonly message?: string;
}

const test = suite<{ site: Site; browser: Browser }>('Chromium');
const launch = chromium();

test.before(async (context) => {
  context.site = await serve(packedPackage().folder);
  context.browser = await (launch as () => Promise<Browser>)();
});

test.after(async ({ site, browser }) => {
  await browser.close();
  site.close();
});

/** Bytes of scripts and kernels, with gzip, that a page may need for its first inference. */
const MOST_LOADED = 200_000;
/** Servers of HTTP/1.1 are asked for six files at a time. */
const MOST_FILES = 8;

/** The page, its policy, and the threads that are to join: 0 asks for none, 2 for two. */
const CASES: readonly (readonly [name: string, page: string, policy: string, asked: number, joined: number])[] = [
  ['main thread', 'page?script=page.js', 'none', 0, 1],
  ['main thread, threads asked for in vain', 'page?script=page.js', 'none', 2, 1],
  ['main thread, isolated', 'page?script=page.js', 'isolated', 2, 2],
  ['main thread, one file', 'page?script=inline-page.js', 'none', 0, 1],
  ['dedicated worker', 'page?script=in-worker.js', 'none', 0, 1],
  ['dedicated worker, isolated', 'page?script=in-worker.js', 'isolated', 2, 2],
  ['service worker', 'page?script=in-service-worker.js', 'none', 0, 1],
  ['strict policy', 'page?script=page.js', 'strict', 0, 1],
  ['strict policy, one file', 'page?script=inline-page.js', 'strict', 0, 1],
];

if (launch) {
  for (const [name, page, policy, asked, joined] of CASES)
    test(name, async ({ site, browser }) => {
      await expectOutcome(browser, `${site.address}/${page}&policy=${policy}&threads=${asked}`, joined);
    });

  test('a first inference loads little', async ({ site, browser }) => {
    site.loaded.clear();
    await expectOutcome(browser, `${site.address}/page?script=page.js&policy=none&threads=0`, 1);
    const loaded = [...site.loaded].filter(([path]) => /sardonyx\/.*\.(js|wasm)$/.test(path));
    const bytes = loaded.reduce((sum, [, size]) => sum + size, 0);
    console.log(`${(bytes / 1000).toFixed(1)} kB with gzip in ${loaded.length} files`);
    assert.ok(bytes <= MOST_LOADED && loaded.length <= MOST_FILES, loaded.join('\n'));
  });

  for (const bundler of ['vite', 'webpack', 'esbuild'] as const)
    test(`bundled by ${bundler}`, async ({ site, browser }) => {
      const { page, threads } = await bundle(bundler, packedPackage().folder, peers() as string);
      const query = `policy=isolated&threads=${threads}`;
      await expectOutcome(browser, `${site.address}/${page}${page.includes('?') ? '&' : '?'}${query}`, threads);
    });
}

async function expectOutcome(browser: Browser, address: string, threads: number): Promise<void> {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message ?? ''));
  page.on('console', (message) => complaints.push(message.text?.() ?? ''));
  try {
    await page.goto(address);
    const outcome = await page.evaluate<Outcome | undefined>('globalThis.outcome');
    assert.ok((outcome?.error as number) <= 1e-5, JSON.stringify({ outcome, complaints }));
    assert.is(outcome?.threads, threads, complaints.join('\n'));
  } finally {
    await page.close();
  }
}

test.run();
