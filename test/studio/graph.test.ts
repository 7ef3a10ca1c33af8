import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { shared } from '../shared-data.js';
import { leading } from '../tier.js';
import { closeStudio, openFiles, openStudio, type Page } from './studio-page.js';
import { comesTo, stays } from './waiting.js';

const test = leading(suite('studio: the graph'), { ci: 1 });
test.after(closeStudio);

const models = shared('models');
const tree = (page: Page) => page.getByRole('tree', { name: 'Graph' });
const items = (page: Page) => page.getByRole('treeitem').allTextContents();
const settled = (page: Page) => stays(page, '[role=tree]');

async function opened(model: string) {
  const studio = await openStudio();
  await openFiles(studio.page, `${models}/${model}/model.onnx`);
  await tree(studio.page).waitFor({ state: 'attached' });
  await settled(studio.page);
  return studio;
}

test('every shared model is drawn, its inputs named with their types', async () => {
  const { page, problems, close } = await openStudio();
  const folder = mkdtempSync(join(tmpdir(), 'shared-'));
  for (const { name } of readdirSync(models, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
    symlinkSync(`${models}/${name}/model.onnx`, join(folder, `${name}.onnx`));
    await openFiles(page, join(folder, `${name}.onnx`));
    await page.waitForFunction((title) => document.title.startsWith(title), `${name}.onnx`);
    const input = page.getByRole('treeitem', { name: /, input, \w+\[/ });
    await input.first().waitFor({ state: 'attached' });
    await page.getByRole('treeitem').nth(2).waitFor({ state: 'attached' });
  }
  rmSync(folder, { recursive: true });
  assert.equal(problems, []);
  await close();
});

test('by keys alone: into a module, along its edges, out again and closed', async () => {
  const { page, problems, close } = await opened('mobilenet_v2');
  await tree(page).focus();
  await page.keyboard.press('Home');
  const active = async () => page.locator(`[id="${await tree(page).getAttribute('aria-activedescendant')}"]`);
  await comesTo(async () => (await active()).textContent(), 'input, input, float32[batch, 3, 224, 224]');
  await page.keyboard.press('ArrowDown');
  await comesTo(async () => (await active()).textContent(), /^features, features, 1\d\d nodes$/);
  const module = (await (await active()).textContent()) ?? '';
  await comesTo(async () => (await active()).getAttribute('aria-expanded'), 'false');
  await page.keyboard.press('Enter');
  await page.locator('[aria-expanded=true]').first().waitFor({ state: 'attached' });
  await settled(page);
  await comesTo(async () => (await active()).textContent(), module, 'the module stays selected');
  await page.keyboard.press('ArrowDown');
  await comesTo(async () => (await active()).getAttribute('aria-level'), '2');
  await page.keyboard.press('Backspace');
  await comesTo(async () => (await active()).textContent(), module);
  await page.keyboard.press('Enter');
  await page.locator('[aria-expanded=true]').first().waitFor({ state: 'detached' });
  await settled(page);
  await comesTo(async () => (await active()).textContent(), module);
  assert.equal(problems, []);
  await close();
});

test('a module stays under the pointer while it is opened and closed by its sign', async () => {
  const { page, close } = await opened('bert_mini');
  const item = page.getByRole('treeitem', { expanded: false }).first();
  const name = new RegExp(`^${(await item.textContent())?.split(', ').slice(0, 2).join(', ')},`);
  const module = page.getByRole('treeitem', { name });
  const before = await module.boundingBox();
  const scale = (before?.height ?? 0) / 44;
  const sign = [(before?.x ?? 0) + 14 * scale, (before?.y ?? 0) + 14 * scale] as const;
  for (const state of ['true', 'false']) {
    await page.mouse.click(...sign);
    await page.waitForFunction((expected) => !!document.querySelector(`[aria-expanded=${expected}]`), state);
    await settled(page);
    await comesTo(() => module.getAttribute('aria-expanded'), state);
    const now = await module.boundingBox();
    const slip = Math.hypot((now?.x ?? 0) - (before?.x ?? 0), (now?.y ?? 0) - (before?.y ?? 0));
    assert.ok(slip < 1.5, `${slip} pixels`);
  }
  await close();
});

test('all modules are opened, drawn to the right, and given away as SVG with all their operators', async () => {
  const { page, problems, close } = await opened('bert_mini');
  const few = (await items(page)).length;
  await page.getByRole('button', { name: 'Expand all' }).click();
  await page.getByRole('button', { name: 'Collapse all' }).waitFor();
  await page.getByRole('button', { name: 'Horizontal' }).click();
  await page.getByRole('button', { name: 'Fit to window' }).click();
  await page.getByRole('treeitem').nth(few).waitFor({ state: 'attached' });
  const given = page.waitForEvent('download');
  await page.getByRole('button', { name: 'SVG' }).click();
  const file = await given;
  assert.is(file.suggestedFilename(), 'model.svg');
  const svg = readFileSync(await file.path(), 'utf8');
  assert.ok((svg.match(/>MatMul</g) ?? []).length >= 32, 'bert_mini has 32 products of matrices');
  assert.equal(problems, []);
  await close();
});

test.run();
