import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import { closeStudio, openFiles, openStudio, type Page } from './studio-page.js';
import { comesTo } from './waiting.js';

const test = suite('studio/labels');
const root = mkdtempSync(join(tmpdir(), 'sardonyx-labels-'));
test.after(async () => {
  rmSync(root, { recursive: true });
  await closeStudio();
});

/** A model of so many classes that gives what it is fed. */
function scores(classes: number): string {
  const b = modelBuilder({ opset: 21 });
  b.output('scores', b.op('Identity', [b.input('x', 'float32', ['batch', classes])]));
  const path = join(root, `${classes}.onnx`);
  writeFileSync(path, b.toBytes());
  return path;
}

async function opened(page: Page, path: string): Promise<void> {
  await openFiles(page, path);
  await page.getByRole('tab', { name: 'Run' }).click();
  await page.getByRole('group', { name: 'Input x' }).waitFor();
}

const classes = (page: Page) =>
  page.getByRole('table', { name: 'Top classes of scores' }).first().getByRole('rowheader').allInnerTexts();

test('classes have the names of a data set that is chosen, where it has as many', async () => {
  const { page, problems, close } = await openStudio();
  await opened(page, scores(10));
  const choice = page.getByRole('combobox', { name: 'Class labels' });
  const run = page.getByRole('button', { name: 'Run', exact: true });
  await run.click();
  await comesTo(() => classes(page).then((names) => names.join()), /^\d(,\d){4}$/);
  const numbers = await classes(page);
  await choice.selectOption('CIFAR-10');
  await page.getByText('10 class labels loaded.').waitFor();
  await run.click();
  const names = 'airplane automobile bird cat deer dog frog horse ship truck'.split(' ');
  await comesTo(
    () => classes(page),
    numbers.map((number) => names[Number(number)] as string),
  );
  await choice.selectOption('Numbers');
  await run.click();
  await comesTo(() => classes(page), numbers);

  await openFiles(page, scores(7));
  await page.waitForFunction(() => document.title.startsWith('7.onnx'));
  await run.click();
  await comesTo(() => classes(page).then((names) => names.join()), /^\d(,\d){4}$/);
  await choice.waitFor({ state: 'detached' });
  assert.equal(problems, []);
  await close();
});

test.run();
