import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closeSite, fileAt, openSite } from './site-page.js';

const test = suite('site/reading');
test.after(closeSite);

const CODE = /(\.(js|css|wasm)|\/|\.html)$/;

/** Bytes of code by gzip, the page's HTML among it, but for the service worker and what that keeps. */
function codeIn(paths: readonly string[]): number {
  const code = [...new Set(paths)].filter((path) => CODE.test(path) && !path.endsWith('/service-worker.js'));
  const sizes = code.map(
    (path) => [path, gzipSync(readFileSync(fileAt(path) as string), { level: 9 }).length] as const,
  );
  const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
  console.log(`      ${(total / 1000).toFixed(1)} kB: ${sizes.map(([path, bytes]) => `${path} ${bytes}`).join(', ')}`);
  return total;
}

test('the first page can be read without scripts, after 30 kB', async () => {
  const { page, asked, close } = await openSite('/', { scripts: false });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Gallery' }).first().waitFor();
  assert.ok(codeIn(asked.filter((path) => !path.endsWith('.js'))) <= 30_000);
  await close();
});

test('the first page loads 85 kB of code in all, and 250 kB with a model running', async () => {
  const { page, asked, problems, close } = await openSite('/');
  await page.waitForLoadState('networkidle');
  assert.ok(codeIn(asked) <= 85_000);
  const demo = page.getByRole('region', { name: 'Handwritten digits' });
  await demo.getByRole('button', { name: 'Run it here' }).click();
  await demo.getByRole('img', { name: 'Area to draw' }).click();
  await demo.getByRole('meter').first().waitFor();
  assert.ok(codeIn(asked) <= 250_000);
  assert.equal(problems, []);
  await close();
});

test('search finds a page', async () => {
  const { page, problems, close } = await openSite('/');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('searchbox').fill('memoryBytes');
  await page
    .getByRole('option')
    .filter({ hasText: /limits/i })
    .first()
    .click();
  await page.getByRole('heading', { level: 1, name: /limits/i }).waitFor();
  assert.equal(problems, []);
  await close();
});

test('pages and examples work without a network after the first visit', async () => {
  const { page, problems, visit, close } = await openSite('/', { worker: true });
  await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
  await page.context().setOffline(true);
  await visit('/api/sardonyx/cache');
  await visit('/gallery.html');
  const demo = page.getByRole('region', { name: 'A table from scikit-learn' });
  await demo.getByRole('button', { name: 'Run it here' }).click();
  await demo.getByRole('cell', { name: 'setosa' }).waitFor();
  assert.equal(problems, []);
  await close();
});

test.run();
