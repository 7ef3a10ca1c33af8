import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { peers } from '../platforms/packed-package.js';
import { HANDWRITING } from './handwriting.js';
import { exampleFolder, install, npm } from './installed-example.js';
import { type Site, serveFolder } from './static-site.js';

interface Mouse {
  move(x: number, y: number): Promise<void>;
  down(): Promise<void>;
  up(): Promise<void>;
}

interface Page {
  readonly mouse: Mouse;
  on(event: 'pageerror', listener: (error: Error) => void): void;
  goto(address: string): Promise<unknown>;
  reload(): Promise<unknown>;
  click(selector: string): Promise<void>;
  textContent(selector: string): Promise<string>;
  evaluate<T>(expression: string): Promise<T>;
  waitForFunction(expression: string): Promise<unknown>;
  context(): Context;
}

interface Context {
  newPage(): Promise<Page>;
  setOffline(isOffline: boolean): Promise<void>;
  close(): Promise<void>;
  newCDPSession(page: Page): Promise<{ send(method: string): Promise<Record<string, unknown>> }>;
}

interface Browser {
  newContext(options?: { serviceWorkers: 'block' }): Promise<Context>;
  close(): Promise<void>;
}

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Builds the app as its README says; undefined, with a message, where that or Chromium is impossible. */
function builtApp(): { readonly dist: string; readonly playwright: string } | undefined {
  if (!existsSync(CHROMIUM)) {
    if (process.env.SARDONYX_PLATFORMS) throw new Error(`there is no ${CHROMIUM}`);
    console.log(`skipped: there is no ${CHROMIUM}`);
    return undefined;
  }
  const installed = peers();
  const folder = exampleFolder('pwa');
  if (!installed || !install(folder)) return undefined;
  npm(folder, 'run', 'build');
  return { dist: join(folder, 'dist'), playwright: join(installed, 'playwright-core/index.mjs') };
}

const test = suite<{ site: Site; browser: Browser; page: Page; errors: Error[] }>('examples/pwa');
const app = builtApp();

if (app) {
  test.before(async (context) => {
    const { chromium } = await import(pathToFileURL(app.playwright).href);
    context.site = await serveFolder(app.dist);
    context.browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    context.page = await (await context.browser.newContext()).newPage();
    context.errors = [];
    context.page.on('pageerror', (error) => context.errors.push(error));
  });

  test.after(async ({ site, browser }) => {
    await browser.close();
    await site.stop();
  });

  test('recognizes digits as they are drawn', async ({ site, page, errors }) => {
    await page.goto(site.address);
    await page.waitForFunction('document.getElementById("download").hidden');
    assert.is(await page.evaluate('document.getElementById("progress").value'), 1);
    await expectAllRecognized(page);
    assert.match(await page.textContent('#time'), /^\d+\.\d ms/);
    assert.equal(errors, []);
  });

  test('can be installed', async ({ page }) => {
    await page.waitForFunction('navigator.serviceWorker.controller');
    const devtools = await page.context().newCDPSession(page);
    const { errors, data } = await devtools.send('Page.getAppManifest');
    assert.equal(errors, []);
    assert.is(JSON.parse(data as string).display, 'standalone');
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
    const obstacles = (installabilityErrors as { errorId: string }[]).map(({ errorId }) => errorId);
    assert.equal(
      obstacles.filter((id) => id !== 'in-incognito'), // What tests run in.
      [],
    );
  });

  test('keeps the files that the page asks for, and no others', async ({ site, browser, page }) => {
    const kept: string[] = await page.evaluate(
      `caches.keys().then(([name]) => caches.open(name)).then((cache) => cache.keys())
        .then((requests) => requests.map(({ url }) => new URL(url).pathname.slice(1)))`,
    );
    site.asked.clear();
    const plain = await browser.newContext({ serviceWorkers: 'block' });
    const visitor = await plain.newPage();
    await visitor.goto(site.address);
    await visitor.waitForFunction('document.getElementById("download").hidden');
    await recognizedAs(visitor, 3);
    await plain.close();
    const asked = [...site.asked].map((path) => path.slice(1)).filter((path) => path !== 'service-worker.js');
    for (const kind of ['.onnx', '.wasm', '.js', '.css']) assert.ok(asked.some((path) => path.endsWith(kind)));
    assert.equal(
      asked.filter((path) => !kept.includes(path) && path !== 'favicon.ico'),
      [],
    );
    // Not asked for by a browser without a window, or by one with relaxed SIMD.
    const rest = /^(index\.html|icon\.svg|manifest\.webmanifest|assets\/sardonyx\.simd-[^-]+\.wasm)$/;
    assert.equal(
      kept.filter((path) => !asked.includes(path) && !rest.test(path)),
      [],
    );
  });

  test('works with the network cut', async ({ site, page, errors }) => {
    await page.context().setOffline(true);
    assert.match(await page.textContent('#network'), 'No network');
    await site.stop();
    assert.is(await page.evaluate('fetch("./not-kept").then(() => "answered", () => "cut")'), 'cut');
    await page.reload();
    await page.waitForFunction('document.getElementById("download").hidden');
    await expectAllRecognized(page);
    assert.equal(errors, []);
  });
}

async function expectAllRecognized(page: Page): Promise<void> {
  const recognized: string[] = [];
  for (const digit of HANDWRITING.keys()) recognized.push(await recognizedAs(page, digit));
  assert.equal(recognized, [...HANDWRITING.keys()].map(String));
}

async function recognizedAs(page: Page, digit: number): Promise<string> {
  await page.click('#clear');
  const { x, y, width, height } = await page.evaluate<DOMRect>(
    'document.getElementById("pad").getBoundingClientRect().toJSON()',
  );
  for (const stroke of HANDWRITING[digit] ?? []) {
    for (const [i, point] of stroke.entries()) {
      await page.mouse.move(x + width * point[0], y + height * point[1]);
      if (i === 0) await page.mouse.down();
    }
    await page.mouse.up();
  }
  await page.waitForFunction('document.getElementById("result").ariaBusy === "false"');
  return page.textContent('#answer');
}

test.run();
