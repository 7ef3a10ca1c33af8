import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { serveStudio } from '../../studio/server.js';
import { readView, type View, writeView } from '../../studio/src/app/links/view.js';
import { leading } from '../tier.js';
import { notedModel } from './details-model.js';
import { closeStudio, openFiles, openStudio, type Page } from './studio-page.js';
import { comesTo, stays } from './waiting.js';

const test = leading(suite('studio/links'), { ci: 4 });
test.after(closeStudio);

const VIEWS: readonly View[] = [
  { panel: 'model', graph: '', opened: null, selected: null },
  { panel: null, graph: '12/body', opened: ['a/b', 'c&d'], selected: { kind: 'node', index: 3 } },
  { panel: 'find', graph: 'function/local:F', opened: [], selected: { kind: 'value', name: 'x y/#?=%' } },
  { panel: 'weights', graph: '', opened: [], selected: { kind: 'module', name: 'encoder/0' } },
  {
    panel: 'model',
    graph: 'training/algorithm',
    opened: null,
    selected: null,
    drawing: {
      direction: 'right',
      folds: false,
      shown: { names: true, attributes: false, weights: true },
      camera: { x: -20.5, y: 1400, scale: 0.8125 },
    },
    file: { name: 'a & b.onnx', hash: '0123456789abcdef'.repeat(4) },
  },
];

test('a view is the same when it is read from an address', () => {
  for (const view of VIEWS) assert.equal(readView(`#${writeView(view)}`), view);
  assert.is(writeView(VIEWS[0] as View), '');
  assert.equal(readView('#node=-1&node=x').selected, null);
  assert.is(readView('#camera=1 2 0').drawing, undefined);
  assert.is(readView('#file=m.onnx&sha256=12').file, undefined);
});

const details = (page: Page, name: string) =>
  page.getByRole('complementary', { name: 'Details' }).getByRole('heading', { name, exact: true }).waitFor();
const addressHas = (page: Page, part: string) =>
  page.waitForFunction((wanted) => decodeURIComponent(location.href).includes(wanted), part);
const inGraph = (page: Page, title: string) =>
  page.getByRole('navigation', { name: 'Graph path' }).locator('[aria-current]').filter({ hasText: title }).waitFor();

test('a link leads to the graph, the tool and the selection; back and forth enter graphs', async () => {
  const model = notedModel();
  const server = await serveStudio({ model });
  const studio = await openStudio();
  const { page } = studio;
  await page.goto(`${server.address}#panel=weights&graph=1/else_branch&value=else_out`);
  await inGraph(page, 'else_branch of 1');
  await details(page, 'else_out');
  await page.getByRole('region', { name: 'Weights' }).waitFor();

  await page.getByRole('navigation', { name: 'Graph path' }).getByRole('button', { name: 'noted.onnx' }).click();
  await inGraph(page, 'noted.onnx');
  await page.waitForFunction(() => !location.hash.includes('graph'));
  assert.match(page.url(), /\?url=model\/noted\.onnx#panel=weights$/);
  await page.getByRole('tab', { name: 'Model' }).click();
  await page.getByRole('region', { name: 'Model' }).getByRole('button', { name: 'x', exact: true }).click();
  await addressHas(page, '#value=x');
  await page.goBack();
  await inGraph(page, 'else_branch of 1');
  await details(page, 'else_out');
  await page.goForward();
  await inGraph(page, 'noted.onnx');
  await details(page, 'x');

  await page.reload();
  await details(page, 'x');
  await studio.close();
  server.close();
});

const other = new URL('../../examples/digits/model.onnx', import.meta.url).pathname;

/** Copies the link as people do, and answers it. */
async function copied(page: Page): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByRole('button', { name: 'Link copied' }).waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Where a node is on the screen, in whole pixels. */
async function placeOf(page: Page, name: RegExp): Promise<number[]> {
  const box = await page.getByRole('treeitem', { name }).boundingBox();
  return box ? [box.x, box.y, box.width, box.height].map(Math.round) : [];
}

test('the link of a local file asks for the file with its hash, and restores selection and camera', async () => {
  const { page, problems, close } = await openStudio();
  const path = notedModel();
  await openFiles(page, path);
  await page.getByRole('region', { name: 'Model' }).getByRole('button', { name: 'yes', exact: true }).click();
  await details(page, 'yes');
  await page.getByRole('tab', { name: 'Model' }).click();
  for (let i = 0; i < 2; i++) await page.getByRole('button', { name: 'Zoom in' }).click();
  await page.mouse.move(500, 500);
  await page.mouse.wheel(30, 55);
  await stays(page, '[role=tree]');
  const before = await placeOf(page, /^If/);
  const link = await copied(page);
  assert.match(link, new RegExp(createHash('sha256').update(readFileSync(path)).digest('hex')));
  assert.match(link, /#file=noted\.onnx&/);

  await page.goto('about:blank');
  await page.goto(link);
  const asks = page.getByRole('region', { name: 'Linked file' });
  await asks.getByRole('heading', { name: 'This link shows noted.onnx' }).waitFor();
  await openFiles(page, other);
  await inGraph(page, 'model.onnx');
  await page.getByRole('log').getByText('model.onnx is not the file of the link').waitFor();
  await openFiles(page, path);
  await inGraph(page, 'noted.onnx');
  await details(page, 'yes');
  await page.getByRole('log').locator('.notice').waitFor({ state: 'detached' });
  await stays(page, '[role=tree]');
  await comesTo(() => placeOf(page, /^If/), before);
  assert.is(await page.getByRole('region', { name: 'Model' }).count(), 0, 'the tool was closed');
  assert.equal(problems, []);
  await close();
});

test('the link of a file that the browser may read opens it', async () => {
  const { page, problems, close } = await openStudio();
  await keepHandle(page);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await inGraph(page, 'kept.onnx');
  await page.getByRole('region', { name: 'Model' }).getByRole('button', { name: 'yes', exact: true }).click();
  await details(page, 'yes');
  const link = await copied(page);
  await page.goto('about:blank');
  await page.goto(link);
  await inGraph(page, 'kept.onnx');
  await details(page, 'yes');
  assert.equal(problems, []);
  await close();
});

test('a file is pasted, and the address of one on this host; of other hosts it is said why not', async () => {
  const server = await serveStudio({ model: notedModel() });
  const studio = await openStudio();
  const { page } = studio;
  await page.goto(server.address.split('?')[0] as string);
  const bytes = [...readFileSync(notedModel())];
  await page.evaluate(pasteFile, bytes);
  await inGraph(page, 'pasted.onnx');
  await page.evaluate(pasteText, '/model/noted.onnx');
  await inGraph(page, 'noted.onnx');
  await addressHas(page, 'url=');
  await page.evaluate(pasteText, 'https://example.com/other.onnx');
  await page.getByRole('log').getByText('Cannot load from example.com').waitFor();
  await studio.close();
  server.close();
});

/** In the page. */
function pasteFile(bytes: number[]): void {
  const clipboardData = new DataTransfer();
  clipboardData.items.add(new File([new Uint8Array(bytes)], 'pasted.onnx'));
  document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
}

function pasteText(text: string): void {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text', text);
  document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
}

/** A dialog that gives the handle of a file in the browser's own storage. */
async function keepHandle(page: Page): Promise<void> {
  const bytes = [...readFileSync(notedModel())];
  await page.evaluate(`(async () => {
    const folder = await navigator.storage.getDirectory();
    const handle = await folder.getFileHandle('kept.onnx', { create: true });
    const writable = await handle.createWritable();
    await writable.write(Uint8Array.from(${JSON.stringify(bytes)}));
    await writable.close();
    window.showOpenFilePicker = async () => [handle];
  })()`);
}

test('what was opened by a handle is there to be opened again, after a reload too', async () => {
  const { page, problems, close } = await openStudio();
  await keepHandle(page);
  for (let i = 0; i < 2; i++) {
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await inGraph(page, 'kept.onnx');
  }
  await page.reload();
  const before = page.getByRole('region', { name: 'Recent files' });
  await before.getByRole('button', { name: 'kept.onnx' }).click();
  await inGraph(page, 'kept.onnx');
  await page.getByText('noted', { exact: true }).waitFor();
  assert.equal(problems, []);
  await close();
});

test('an address that leads nowhere in the model opens what there is', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'studio-')), 'm.onnx');
  writeFileSync(path, readFileSync(notedModel()));
  const server = await serveStudio({ model: path });
  const { page, close } = await openStudio();
  await page.goto(`${server.address}#panel=nonsense&graph=7/none&node=900&open=nothing`);
  await inGraph(page, 'm.onnx');
  await page.getByText('Opening the graph failed').waitFor();
  await page.getByRole('region', { name: 'Model' }).getByRole('button', { name: 'x', exact: true }).click();
  await details(page, 'x');
  await close();
  server.close();
});

test.run();
