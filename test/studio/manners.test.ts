import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closeStudio, openFiles, openStudio, type Page } from './studio-page.js';
import { comesTo, stays } from './waiting.js';

const test = suite('studio/manners');
test.after(closeStudio);

const digits = new URL('../../examples/digits/model.onnx', import.meta.url).pathname;
const broken = new URL('../../package.json', import.meta.url).pathname;

async function opened(): Promise<Awaited<ReturnType<typeof openStudio>>> {
  const studio = await openStudio();
  await openFiles(studio.page, digits);
  await studio.page.getByRole('treeitem').first().waitFor({ state: 'attached' });
  return studio;
}

test('what is typed while Find is loaded is not lost', async () => {
  const { page, problems, close } = await opened();
  await page.route(/find-panel/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    await route.continue();
  });
  await page.keyboard.press('ControlOrMeta+f');
  await page.keyboard.type('Soft');
  const field = page.getByRole('combobox', { name: 'Find in the model' });
  await field.waitFor();
  await page.keyboard.type('max');
  await comesTo(() => field.inputValue(), 'Softmax');
  assert.equal(problems, []);
  await close();
});

test('notices leave with the model they speak of', async () => {
  const { page, close } = await opened();
  await openFiles(page, broken);
  const notices = page.getByRole('log').locator('.notice');
  await notices.first().waitFor();
  await openFiles(page, digits);
  await notices.first().waitFor({ state: 'detached' });
  await close();
});

test('the model panel counts parameters', async () => {
  const { page, close } = await opened();
  assert.match(await page.getByRole('region', { name: 'Model' }).innerText(), /Parameters\s+13\.7 k/);
  await close();
});

const nodes = (page: Page) => page.evaluate(() => document.querySelectorAll('[role=treeitem]').length);

test('a weight that is clicked leads to its node, and lays out nothing anew', async () => {
  const { page, problems, close } = await opened();
  await page.keyboard.press('ControlOrMeta+f');
  await page.getByRole('combobox', { name: 'Find in the model' }).fill('/f1/Gemm');
  await page.keyboard.press('Enter');
  const details = page.getByRole('complementary', { name: 'Details' });
  await details.getByRole('heading', { name: 'Gemm' }).waitFor();
  await stays(page, '[role=tree]');
  const before = await nodes(page);
  await details.getByRole('button', { name: 'f1.weight' }).click();
  await details.getByRole('heading', { name: 'f1.weight' }).waitFor();
  await stays(page, '[role=tree]');
  assert.is(await nodes(page), before);
  await page.getByRole('button', { name: 'Show constants', pressed: false }).waitFor();
  assert.equal(problems, []);
  await close();
});

test.run();
