import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { npm } from '../npm.js';
import { leading, tier } from '../tier.js';
import { type Browser, hasChromium, type Page, startChromium, startWholeChromium, until } from './browser.js';
import { contrastAt, expectAllRecognized, isKept, isReady, recognizedAs } from './digits-page.js';
import { exampleFolder, install } from './installed-example.js';
import { type Site, serveFolder } from './static-site.js';
import { vitePreview } from './vite-preview.js';

interface Visit {
  readonly page: Page;
  readonly errors: Error[];
}

/** The folder of the app, built as its README says; undefined, with a message, where that or Chromium is impossible. */
function builtApp(): string | undefined {
  const folder = exampleFolder('pwa');
  if (!hasChromium() || !install(folder)) return undefined;
  npm(folder, ['run', 'build']);
  return folder;
}

let browser: Browser;

/** A page of a context of its own, which shares neither workers nor caches with others. */
async function visit(by = browser): Promise<Visit> {
  const page = await (await by.newContext()).newPage();
  const errors: Error[] = [];
  page.on('pageerror', (error) => errors.push(error));
  return { page, errors };
}

/** A digit tells whether the model runs; that each is recognized is tried once. */
async function expectOneRecognized(page: Page): Promise<void> {
  assert.is(await recognizedAs(page, 7), '7');
}

/** The app with another heading, from what is built, under a version of its own. */
function patchAnother(place: string): void {
  cpSync(join(app as string, 'dist'), place, { recursive: true });
  edit(join(place, 'index.html'), 'Draw a digit', 'Draw any digit');
  edit(join(place, 'service-worker.js'), /(VERSION = ')/, '$1another-');
}

/** The same, built, which gives it a version. */
function buildAnother(place: string): void {
  const page = join(app as string, 'index.html');
  const source = readFileSync(page, 'utf8');
  try {
    edit(page, 'Draw a digit', 'Draw any digit');
    npm(app as string, ['exec', 'vite', 'build', '--', '--outDir', place]);
  } finally {
    writeFileSync(page, source);
  }
}

const edit = (file: string, from: string | RegExp, to: string) =>
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));

const app = builtApp();

if (app) {
  // For all suites of this file: each test is in a context of its own.
  browser = await startChromium();
  const dist = join(app, 'dist');
  const SERVERS = { 'a server of static files': () => serveFolder(dist), 'vite preview': () => vitePreview(app) };

  for (const [name, serve] of Object.entries(SERVERS)) {
    const whole = suite<Visit & { site: Pick<Site, 'address' | 'stop'> }>(`examples/pwa on ${name}`);
    // What the service worker keeps is the same from either server: it goes without a network behind one of them.
    const test = name === 'vite preview' ? leading(whole, { ci: 1 }) : whole;

    test.before(async (context) => {
      context.site = await serve();
      Object.assign(context, await visit());
    });
    test.after(async ({ site, page }) => {
      await page.context().close();
      await site.stop();
    });

    test('recognizes digits as they are drawn', async ({ site, page, errors }) => {
      await page.goto(site.address);
      await isReady(page);
      assert.is(await page.evaluate('document.getElementById("progress").value'), 1);
      await (name === 'vite preview' ? expectOneRecognized : expectAllRecognized)(page);
      assert.match(await page.textContent('#time'), /^\d+\.\d ms/);
      await isKept(page);
      assert.equal(errors, []);
    });

    // Chromium's headless shell names no obstacle to the installation of any page.
    test('can be installed', async ({ site }) => {
      const whole = await startWholeChromium();
      try {
        const { page } = await visit(whole);
        await page.goto(site.address);
        await isKept(page);
        const devtools = await page.context().newCDPSession(page);
        const { errors, data } = await devtools.send('Page.getAppManifest');
        assert.equal(errors, []);
        assert.is(JSON.parse(data as string).display, 'standalone');
        const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
        const obstacles = (installabilityErrors as { errorId: string }[]).map(({ errorId }) => errorId);
        assert.equal(obstacles, ['in-incognito']); // What tests run in.
      } finally {
        await whole.close();
      }
    });

    test('works with the network cut, and the server gone', async ({ site, page, errors }) => {
      await page.context().setOffline(true);
      assert.match(await page.textContent('#network'), 'You are offline');
      await site.stop();
      assert.is(await page.evaluate('fetch("./not-kept").then(() => "answered", () => "cut")'), 'cut');
      await page.reload();
      await isReady(page);
      await expectOneRecognized(page);
      for (const other of ['index.html', 'index.html?from=home#top']) {
        await page.goto(site.address + other);
        await isReady(page);
      }
      assert.equal(errors, []);
    });

    test.run();
  }

  const look = suite<Visit & { site: Site }>('the look of examples/pwa');

  look.before(async (context) => {
    context.site = await serveFolder(dist);
    Object.assign(context, await visit());
    await context.page.emulateMedia({ colorScheme: 'light' });
    await context.page.goto(context.site.address);
    await isReady(context.page);
  });
  look.after(async ({ site, page }) => {
    await page.context().close();
    await site.stop();
  });

  look('shows the drawing in whatever colours the page turns to', async ({ page }) => {
    const middle = [0.52, 0.5] as const; // Of the second stroke of the 1.
    assert.is(await recognizedAs(page, 1), '1');
    for (const media of [
      { colorScheme: 'light' },
      { colorScheme: 'dark' },
      { colorScheme: 'dark', forcedColors: 'active' },
      { colorScheme: 'light', forcedColors: 'active' },
      { colorScheme: 'light', forcedColors: 'none' },
    ] as const) {
      await page.emulateMedia(media);
      const found = await contrastAt(page, ...middle);
      assert.ok(found >= 7, `contrast ${found.toFixed(2)} of the drawing with ${JSON.stringify(media)}`);
    }
    assert.is(await page.textContent('#answer'), '1');
  });

  for (const width of [320, 1280])
    look(`keeps each bar on one line, ${width} pixels wide`, async ({ page }) => {
      await page.setViewportSize({ width, height: 740 });
      assert.is(await recognizedAs(page, 1), '1');
      assert.match(await page.textContent('#bars .highest span'), /^100\.0\s%$/);
      const heights: number[] = await page.evaluate(
        `Array.from(document.querySelectorAll('#bars li'), (bar) => bar.getBoundingClientRect().height)`,
      );
      assert.equal([heights.length, new Set(heights).size], [10, 1], `${heights}`);
      const widths: number[] = await page.evaluate(
        `Array.from(document.querySelectorAll('#bars meter'), (bar) => bar.getBoundingClientRect().width)`,
      );
      assert.equal([new Set(widths).size, (widths[0] as number) > 100], [1, true], `${widths}`);
      assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= width);
    });

  look('is cleared from the keyboard', async ({ page }) => {
    const outline = 'parseFloat(getComputedStyle(document.activeElement).outlineWidth)';
    for (const key of ['Enter', 'Escape']) {
      assert.is(await recognizedAs(page, 1), '1');
      await page.evaluate('document.activeElement.blur()');
      if (key === 'Enter') await page.keyboard.press('Tab');
      if (key === 'Enter') assert.equal(await page.evaluate(`[document.activeElement.id, ${outline}]`), ['clear', 3]);
      await page.keyboard.press(key);
      await page.waitForFunction('document.getElementById("answer").textContent.trim() === ""');
    }
  });

  look.run();

  const deployed = suite<Visit & { site: Site; folder: string }>('deployments of examples/pwa');

  const CACHES = 'caches.keys()';
  const KEPT = `caches.keys().then((names) => Promise.all(names.map(async (name) =>
    (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname))))`;

  deployed.before.each(async (context) => {
    context.folder = mkdtempSync(join(tmpdir(), 'sardonyx-pwa-'));
    context.site = await serveFolder(context.folder);
    Object.assign(context, await visit());
  });
  deployed.after.each(async ({ folder, site, page }) => {
    await page.context().close();
    await site.stop();
    rmSync(folder, { recursive: true });
  });

  deployed('keeps the files that the page asks for, and no others', async ({ folder, site, page }) => {
    cpSync(dist, folder, { recursive: true });
    await page.goto(site.address);
    await isKept(page);
    const [kept = []] = await page.evaluate<string[][]>(KEPT);
    site.asked.clear();
    const plain = await browser.newContext({ serviceWorkers: 'block' });
    const visitor = await plain.newPage();
    await visitor.goto(site.address);
    await isReady(visitor);
    await recognizedAs(visitor, 3);
    await plain.close();
    const asked = [...site.asked].filter((path) => path !== '/service-worker.js');
    for (const kind of ['.onnx', '.wasm', '.js', '.css']) assert.ok(asked.some((path) => path.endsWith(kind)));
    assert.equal(
      asked.filter((path) => !kept.includes(path) && path !== '/favicon.ico'),
      [],
    );
    // Not asked for by a browser without a window, or by one with relaxed SIMD.
    const rest = /^\/(icon\.svg|manifest\.webmanifest|assets\/sardonyx\.simd-[\w-]+\.wasm)$/;
    assert.equal(
      kept.filter((path) => !asked.includes(path) && !rest.test(path)),
      [],
    );
  });

  deployed('work side by side, in folders of one origin, without a network', async ({ folder, site, page, errors }) => {
    const PLACES = ['apps/digits/', 'apps/'];
    for (const place of PLACES) cpSync(dist, join(folder, place), { recursive: true });
    edit(join(folder, 'apps/service-worker.js'), /(VERSION = ')/, '$1another-');
    for (const place of PLACES) {
      await page.goto(site.address + place);
      await isReady(page);
      await isKept(page);
    }
    assert.is((await page.evaluate<string[]>(CACHES)).length, 2);
    await site.stop();
    for (const place of PLACES) {
      await page.goto(site.address + place);
      await isReady(page);
      await expectOneRecognized(page);
    }
    assert.equal(errors, []);
  });

  deployed('replace those before them once these are closed', async ({ folder, site, page, errors }) => {
    const [place, address] = [join(folder, 'app'), `${site.address}app/`];
    writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Elsewhere</title>');
    cpSync(dist, place, { recursive: true });
    await page.goto(address);
    await isKept(page);
    const [old = ''] = await page.evaluate<string[]>(CACHES);

    rmSync(place, { recursive: true });
    if (tier === 'all') buildAnother(place);
    else patchAnother(place);
    await page.goto(address);
    assert.is(await page.textContent('h1'), 'Draw a digit');
    await until(page, 'navigator.serviceWorker.getRegistration().then(({ waiting }) => waiting !== null)');
    await page.goto(site.address);
    await until(page, `caches.keys().then((names) => names.length === 1 && names[0] !== '${old}')`);

    await site.stop();
    await page.goto(address);
    assert.is(await page.textContent('h1'), 'Draw any digit');
    await isReady(page);
    await expectOneRecognized(page);
    assert.equal(errors, []);
  });
  deployed.after(() => browser.close());

  deployed.run();
}
