import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Browser, chromium, type Page } from './chromium.js';
import { packedPackage } from './packed-package.js';
import { type Routes, type Site, serve } from './site.js';

interface Refusal {
  readonly name: string;
  readonly code: string;
  readonly message: string;
}

const test = suite<{ site: Site; browser: Browser; page: Page }>('loading in Chromium');
const launch = chromium();

const integrityOf = (bytes: Uint8Array) => `sha256-${createHash('sha256').update(bytes).digest('base64')}`;

const LARGE = Buffer.alloc(9_000_001, 'sardonyx');
const BREAKS_AFTER = 5_000_000;

/** What the server has at the moment: whether transfers of the large file break off, and which model. */
const state = { breaks: false, model: Buffer.alloc(0) };
/** The ranges of the large file that were asked for; '' for the whole. */
const ranges: string[] = [];

const kernels = (path: string) =>
  readFileSync(join(packedPackage().folder, 'node_modules/sardonyx/build', path.split('/').at(-1) as string));
const typed = (type: string) => (response: ServerResponse, body: Uint8Array | string) =>
  response.writeHead(200, { 'content-type': type }).end(body);

const ROUTES: Routes = {
  '/large.bin': ({ headers }, response) => {
    ranges.push(headers.range ?? '');
    const start = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
    const rest = LARGE.subarray(start);
    response.writeHead(start ? 206 : 200, {
      etag: '"1"',
      'cache-control': 'no-store',
      'content-length': rest.length,
      ...(start && { 'content-range': `bytes ${start}-${LARGE.length - 1}/${LARGE.length}` }),
    });
    if (!state.breaks) response.end(rest);
    else if (start) response.destroy();
    else response.write(rest.subarray(0, BREAKS_AFTER), () => setTimeout(() => response.destroy(), 200));
  },
  '/changing.onnx': (_, response) => {
    response.writeHead(200, { 'cache-control': 'no-store' }).end(state.model);
  },
  '/untyped/': ({ url }, response) => response.end(kernels(url as string)),
  '/charset/': ({ url }, response) => typed('application/wasm; charset=utf-8')(response, kernels(url as string)),
  '/web-page/': (_, response) => typed('text/html')(response, '<!doctype html><title>Not found</title>'),
  '/sandbox': (_, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html', 'content-security-policy': 'sandbox allow-scripts' })
      .end('<!doctype html><title>A page without storage</title>'),
  '/dist/': ({ url }, response) => {
    const script = readFileSync(join(packedPackage().folder, 'node_modules/sardonyx', url as string));
    response.writeHead(200, { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' }).end(script);
  },
};

if (launch) {
  test.before(async (context) => {
    context.site = await serve(packedPackage().folder, ROUTES);
    context.browser = await launch();
    context.page = await context.browser.newPage();
    await context.page.goto(`${context.site.address}/page?policy=none`);
  });

  test.after(async ({ site, browser }) => {
    await browser.close();
    site.close();
  });

  const call = <T>(page: Page, expression: string) =>
    page.evaluate<T>(`import('/loading.js').then((loading) => loading.${expression})`);

  test('a model is kept under its URL and hash', async ({ site, page }) => {
    const run = (integrity: string) => call<true | Refusal>(page, `keepAndRun('/changing.onnx', '${integrity}')`);
    state.model = readFileSync(join(packedPackage().folder, 'model.onnx'));
    const integrity = integrityOf(state.model);
    assert.is(await run(integrity), true);
    const newer = Buffer.concat([state.model, Buffer.of(0x2a, 0)]);
    state.model = Buffer.from('this would be refused');
    await page.goto(`${site.address}/page?policy=none`);
    assert.is(await run(integrity), true, 'it is kept over a reload');
    state.model = newer;
    assert.is(await run(integrityOf(newer)), true, 'it has changed, and is fetched again');
    assert.is(((await run(integrity)) as Refusal).code, 'INTEGRITY');
    assert.not((await call<string[]>(page, 'listed()')).includes('/changing.onnx'));
  });

  test('a download that broke off goes on after a reload', async ({ site, page }) => {
    const keep = () => call<number | Refusal>(page, `keep('/large.bin', '${integrityOf(LARGE)}')`);
    state.breaks = true;
    assert.is(((await keep()) as Refusal).code, 'DOWNLOAD');
    await page.goto(`${site.address}/page?policy=none`);
    state.breaks = false;
    ranges.length = 0;
    assert.is(await keep(), LARGE.length);
    assert.is(ranges.length, 1);
    assert.match(ranges[0] ?? '', /^bytes=[1-9]\d*-$/);
    assert.is(await keep(), LARGE.length);
    assert.is(ranges.length, 1, 'what is kept is not asked for');
  });

  test('a page without storage is told so', async ({ site, browser }) => {
    const page = await browser.newPage();
    await page.goto(`${site.address}/sandbox`);
    const { name, code, message } = await page.evaluate<Refusal>(
      `import('${site.address}/dist/cache.js').then(({ cached }) => cached('${site.address}/model.onnx'))
        .catch(({ name, code, message }) => ({ name, code, message }))`,
    );
    assert.equal([name, code], ['SardonyxError', 'STORAGE']);
    assert.match(message, 'sandboxed');
    await page.close();
  });

  for (const [place, complaint] of [
    ['/untyped/', undefined],
    ['/charset/', undefined],
    ['/web-page/', 'a web page came instead'],
    ['/nowhere/', '404 Not Found'],
  ] as const)
    test(`kernels from ${place}`, async ({ site, browser }) => {
      const page = await browser.newPage();
      await page.goto(`${site.address}/page?policy=none`);
      const found = await call<true | Refusal>(page, `withKernelsFrom('${place}')`);
      await page.close();
      if (complaint === undefined) return assert.is(found, true, JSON.stringify(found));
      const { message } = found as Refusal;
      for (const part of [`${site.address}${place}sardonyx.`, complaint, 'env.wasm.source'])
        assert.match(message, part);
    });
}

test.run();
