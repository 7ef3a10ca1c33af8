import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ModelProto } from '../../build/onnx.js';
import { notedModel } from './details-model.js';
import { closeStudio, openFiles, openStudio, type Page } from './studio-page.js';
import { comesTo } from './waiting.js';

const test = suite('studio/unsaved');
test.after(closeStudio);

const digits = new URL('../../examples/digits/model.onnx', import.meta.url).pathname;
const question = (page: Page) => page.getByRole('dialog', { name: 'Save changes to model.onnx?' });
const mark = (page: Page) => page.getByRole('banner').getByRole('img', { name: 'Unsaved changes' });
const model = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Graph path' }).getByRole('button', { name }).waitFor();

async function edited() {
  const studio = await openStudio();
  await openFiles(studio.page, digits);
  await studio.page.getByRole('tab', { name: 'Edit' }).click();
  const producer = studio.page.getByRole('region', { name: 'Editor' }).getByLabel('Producer', { exact: true });
  await producer.fill('somebody');
  await producer.press('Enter');
  await mark(studio.page).waitFor();
  return { ...studio, producer };
}

test('an edited model has a mark until it is saved or the edit is undone', async () => {
  const { page, problems, close } = await edited();
  assert.match(await page.title(), /^• model.onnx/);
  await page.getByRole('tree', { name: 'Graph' }).focus();
  await page.keyboard.press('ControlOrMeta+z');
  await mark(page).waitFor({ state: 'detached' });
  await page.keyboard.press('ControlOrMeta+y');
  await mark(page).waitFor();
  const download = page.waitForEvent('download');
  await page.keyboard.press('ControlOrMeta+s');
  const bytes = readFileSync(await (await download).path());
  assert.is(ModelProto.decode(bytes).producerName, 'somebody');
  await page.getByRole('log').getByText('Saved as model.onnx in your downloads').waitFor();
  await mark(page).waitFor({ state: 'detached' });
  await page.keyboard.press('ControlOrMeta+z');
  await mark(page).waitFor();
  assert.equal(problems, []);
  await close();
});

test('another model asks first: cancel, save, or discard', async () => {
  const { page, producer, problems, close } = await edited();
  await openFiles(page, notedModel());
  await question(page).getByRole('button', { name: 'Cancel' }).click();
  await question(page).waitFor({ state: 'detached' });
  await comesTo(() => producer.inputValue(), 'somebody');

  await openFiles(page, notedModel());
  const download = page.waitForEvent('download');
  await question(page).getByRole('button', { name: 'Save' }).click();
  await download;
  await model(page, 'noted.onnx');
  await mark(page).waitFor({ state: 'detached' });

  await page.getByRole('region', { name: 'Editor' }).getByLabel('Producer', { exact: true }).fill('nobody');
  await page.keyboard.press('Enter');
  await mark(page).waitFor();
  await openFiles(page, digits);
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await model(page, 'model.onnx');
  await mark(page).waitFor({ state: 'detached' });
  assert.equal(problems, []);
  await close();
});

test('a reload asks while there are unsaved changes, and only then', async () => {
  const { page, close } = await edited();
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  await page.reload({ timeout: 3000 }).catch(() => undefined);
  assert.equal(asked, ['beforeunload']);
  await mark(page).waitFor();
  await page.getByRole('tree', { name: 'Graph' }).focus();
  await page.keyboard.press('ControlOrMeta+z');
  await mark(page).waitFor({ state: 'detached' });
  await page.reload();
  assert.equal(asked, ['beforeunload']);
  await close();
});

test.run();
