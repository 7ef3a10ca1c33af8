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

const test = leading(suite('studio/links'), { ci: 2 });
test.after(closeStudio);

const VIEWS: readonly View[] = [
  { panel: 'model', graph: '', opened: null, selected: null },
  { panel: null, graph: '12/body', opened: ['a/b', 'c&d'], selected: { kind: 'node', index: 3 } },
  { panel: 'find', graph: 'function/local:F', opened: [], selected: { kind: 'value', name: 'x y/#?=%' } },
  { panel: 'weights', graph: '', opened: [], selected: { kind: 'module', name: 'encoder/0' } },
];

test('a view is the same when it is read from an address', () => {
  for (const view of VIEWS) assert.equal(readView(`#${writeView(view)}`), view);
  assert.is(writeView(VIEWS[0] as View), '');
  assert.equal(readView('#node=-1&node=x').selected, null);
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

test('the link is copied; of a file that was dropped it says so', async () => {
  const { page, problems, close } = await openStudio();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await openFiles(page, notedModel());
  await page.getByRole('region', { name: 'Model' }).getByRole('button', { name: 'yes', exact: true }).click();
  await addressHas(page, 'value=yes');
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByText('The link does not include your local file').waitFor();
  assert.is(await page.evaluate(() => navigator.clipboard.readText()), page.url());
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

test('what was opened by a handle is there to be opened again, after a reload too', async () => {
  const { page, problems, close } = await openStudio();
  const bytes = [...readFileSync(notedModel())];
  await page.evaluate(`(async () => {
    const folder = await navigator.storage.getDirectory();
    const handle = await folder.getFileHandle('kept.onnx', { create: true });
    const writable = await handle.createWritable();
    await writable.write(Uint8Array.from(${JSON.stringify(bytes)}));
    await writable.close();
    window.showOpenFilePicker = async () => [handle];
  })()`);
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
