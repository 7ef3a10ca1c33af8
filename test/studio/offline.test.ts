import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Locator } from '../../studio/node_modules/playwright-core/index.js';
import { serveStudio } from '../../studio/server.js';
import { leading } from '../tier.js';
import { file } from './logs/logged.js';
import {
  type Browser,
  closeStudio,
  launch,
  openFiles,
  openStudio,
  type Page,
  PLAIN_DIALOGS,
  shared,
} from './studio-page.js';
import { comesTo, patient } from './waiting.js';

const test = leading(suite<{ browser: Browser }>('studio/offline'), { ci: 1 });
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

/** What is done in a tool, and what shows that it was. */
const WORKS: Readonly<Record<string, (page: Page, tool: Locator) => Promise<unknown>>> = {
  Run: async (page, tool) => {
    await tool.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('table', { name: 'Top classes of probabilities' }).getByRole('rowheader').nth(4).waitFor();
  },
  Measure: async (page, tool) => {
    await tool.getByRole('button', { name: 'Measure', exact: true }).click();
    await page.getByRole('table', { name: 'Costs by operator' }).getByRole('cell', { name: 'Conv' }).first().waitFor();
  },
  Understand: async (page, tool) => {
    await tool.getByRole('button', { name: 'Capture' }).click();
    await page
      .getByRole('table', { name: 'Values in this run' })
      .getByRole('button', { name: 'probabilities' })
      .waitFor();
  },
  Compare: async (_, tool) => {
    await tool.getByRole('button', { name: 'Compare with simplified model' }).click();
    await tool.getByRole('row', { name: 'Nodes' }).waitFor();
  },
  Verify: async (_, tool) => {
    await tool.getByLabel('Choose zip file').setInputFiles(zipOf(shared('models/lstm')));
    await tool.getByText('all within tolerance').waitFor();
  },
  Quantize: async (_, tool) => {
    await tool.getByRole('button', { name: 'Quantize', exact: true }).click();
    const outcome = tool.getByRole('region', { name: 'Result' });
    await outcome.waitFor();
    await comesTo(() => outcome.innerText(), /probabilities\s+[\d.]+ dB/);
  },
  Watch: async (page, tool) => {
    await tool.getByText(/drop/i).first().waitFor();
    await page.evaluate(dropLog, [...file('torch.tfevents')]);
    await page.getByRole('figure', { name: 'loss', exact: true }).getByRole('table').waitFor();
  },
  Edit: async (_, tool) => {
    const producer = tool.getByLabel('Producer', { exact: true });
    await producer.fill('offline');
    await producer.press('Enter');
    await tool.getByRole('button', { name: 'Undo' }).click();
  },
};

/** A folder of test data as a file to choose. */
function zipOf(folder: string) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => /\.\w+$/.test(path));
  const contents = files.map((path) => [`model/${path}`, new Uint8Array(readFileSync(join(folder, path)))] as const);
  return { name: 'zoo.zip', mimeType: 'application/zip', buffer: Buffer.from(zipSync(Object.fromEntries(contents))) };
}

/** In the page. */
function dropLog(bytes: number[]): void {
  const transfer = new DataTransfer();
  transfer.items.add(new File([new Uint8Array(bytes)], 'events.out.tfevents.1'));
  window.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
}

test('opens a model and does the work of every tool without a network after the first visit', async () => {
  const { page, problems, close } = await openStudio({ isKept: true });
  await isKept(page);
  await page.context().setOffline(true);
  await page.reload();
  await openFiles(page, digits);
  await page.getByRole('heading', { name: 'model.onnx' }).waitFor();
  for (const [name, work] of Object.entries(WORKS)) {
    await page.getByRole('tab', { name, exact: true }).click();
    await work(page, page.getByRole('region', { name, exact: true }));
  }
  assert.ok(await page.evaluate('crossOriginIsolated'));
  assert.equal(await page.getByRole('log').locator('.notice').allInnerTexts(), []);
  assert.equal(problems, []);
  await close();
});

test('can be installed, and keeps less than 3 MB', async () => {
  const { page, close } = await openStudio({ isKept: true });
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
  const page = await patient(await browser.newContext()).newPage();
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
