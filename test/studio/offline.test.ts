import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { serveStudio } from '../../studio/server.js';
import { type Browser, closeStudio, launch, openFiles, openStudio, type Page, PLAIN_DIALOGS } from './studio-page.js';
import { comesTo } from './waiting.js';

const test = suite<{ browser: Browser }>('studio/offline');
test.before(async (context) => {
  context.browser = await launch();
});
test.after(async ({ browser }) => {
  await browser.close();
  await closeStudio();
});

const built = fileURLToPath(new URL('../../studio/dist', import.meta.url));
const digits = fileURLToPath(new URL('../../examples/digits/model.onnx', import.meta.url));

const isKept = (page: Page) => page.evaluate('navigator.serviceWorker.ready.then(() => true)');

test('opens and quantises a model without a network after the first visit', async () => {
  const { page, problems, close } = await openStudio();
  await isKept(page);
  await page.context().setOffline(true);
  await page.reload();
  await openFiles(page, digits);
  await page.getByRole('heading', { name: 'model.onnx' }).waitFor();
  await page.getByRole('tab', { name: 'Quantise' }).click();
  await page.getByRole('button', { name: 'Quantise', exact: true }).click();
  await page.getByRole('region', { name: 'Outcome' }).waitFor({ timeout: 60_000 });
  assert.ok(await page.evaluate('crossOriginIsolated'));
  assert.equal(problems, []);
  await close();
});

test('can be installed, and keeps less than 3 MB', async () => {
  const { page, close } = await openStudio();
  await isKept(page);
  const devtools = await page.context().newCDPSession(page);
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
  const obstacles = installabilityErrors.map(({ errorId }) => errorId);
  assert.equal(
    obstacles.filter((each) => each !== 'in-incognito'),
    [],
  );
  const files = readdirSync(built, { recursive: true, encoding: 'utf8' }).map((file) => join(built, file));
  const bytes = files.filter((file) => statSync(file).isFile()).map((file) => gzipSync(readFileSync(file)).length);
  assert.ok(bytes.reduce((sum, each) => sum + each) < 3e6);
  await close();
});

test('offers a newer version, and takes it only when asked', async ({ browser }) => {
  const folder = mkdtempSync(join(tmpdir(), 'sardonyx-studio-'));
  cpSync(built, folder, { recursive: true });
  const server = await serveStudio({ page: folder });
  const page = await (await browser.newContext()).newPage();
  await page.addInitScript(PLAIN_DIALOGS);
  await page.goto(server.address);
  await isKept(page);
  await page.reload();
  await openFiles(page, digits);
  await page.getByRole('heading', { name: 'model.onnx' }).waitFor();

  const index = join(folder, 'index.html');
  writeFileSync(index, readFileSync(index, 'utf8').replace('lang="en"', 'lang="en" data-version="2"'));
  const script = join(folder, 'service-worker.js');
  writeFileSync(script, readFileSync(script, 'utf8').replace(/VERSION = '\w+'/, "VERSION = 'next'"));
  await page.evaluate('navigator.serviceWorker.getRegistration().then((found) => found.update())');
  const button = page.getByRole('button', { name: 'Update' });
  await button.waitFor();
  await page.getByRole('heading', { name: 'model.onnx' }).waitFor();
  await comesTo(() => page.locator('html').getAttribute('data-version'), null);
  await button.click();
  await page.locator('html[data-version="2"]').waitFor({ state: 'attached' });

  server.close();
  rmSync(folder, { recursive: true });
});

test.run();
