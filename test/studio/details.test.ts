import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { leading } from '../tier.js';
import { constantsModel, EVIL, notedModel, trainedModel } from './details-model.js';
import { closeStudio, openFiles, openStudio, type Page } from './studio-page.js';
import { comesTo, stays } from './waiting.js';

const test = leading(suite('studio/details'), { ci: 5 });
test.after(closeStudio);

const details = (page: Page) => page.getByRole('complementary', { name: 'Details' });

/** The details of an input of the model's graph, to walk on from. */
async function startAt(page: Page, input: string): Promise<void> {
  await page.getByRole('region', { name: 'Model' }).getByRole('button', { name: input, exact: true }).click();
  await details(page).getByRole('heading', { name: input, exact: true }).waitFor();
}

const walk = (page: Page, name: string) => details(page).getByRole('button', { name, exact: true }).click();

test('a node: operator, attributes with their documentation, operands that lead on', async () => {
  const { page, problems, close } = await openStudio();
  await openFiles(page, notedModel());
  await startAt(page, 'x');
  await details(page).getByText('what comes in').waitFor();
  await walk(page, `Conv stem/${EVIL}`);
  const pane = details(page);
  await pane.getByText('ai.onnx 21 since 11').waitFor();

  const attribute = pane.getByRole('group').filter({ hasText: 'kernel_shape' });
  await comesTo(() => attribute.innerText(), /kernel_shape\s+3, 3/);
  await attribute.locator('summary').click();
  await attribute.getByText('The shape of the convolution kernel').waitFor();
  await comesTo(() => pane.getByRole('group').filter({ hasText: 'auto_pad' }).innerText(), /NOTSET\s+default/);
  const operands = await pane.locator('.operands').first().innerText();
  assert.match(operands, /X\s+x\s+float32\[n, 1, 8, 8\]\s+W\s+w\s+float32\[2, 1, 3, 3\]/);
  await comesTo(() => pane.innerText(), /pkg.torch.onnx.stack_trace\s+File "model.py", line 7/);
  await pane.getByText('About Conv').click();
  await pane.getByText('The convolution operator consumes an input tensor').waitFor();

  await walk(page, 'w');
  await pane.getByRole('heading', { name: 'w', exact: true }).waitFor();
  await pane.getByRole('button', { name: 'View tensor' }).waitFor();
  assert.equal(problems, []);
  await close();
});

test('a value: producer, readers, annotation and notes, all of it text', async () => {
  const { page, problems, close } = await openStudio();
  await openFiles(page, notedModel());
  await startAt(page, 'x');
  await walk(page, `Conv stem/${EVIL}`);
  await walk(page, 'y');
  const pane = details(page);
  await pane.getByText('SCALE_TENSOR').waitFor();
  const text = await pane.innerText();
  assert.ok(text.includes(EVIL), text);
  assert.match(text, /float32\[n, 2, 6, 6\]/);
  assert.match(text, /layer\s+stem/);
  assert.match(text, /Consumers\s+If choose/);
  assert.is(await page.evaluate('window.isHacked'), undefined);
  await walk(page, 'scale');
  await pane.getByRole('heading', { name: 'scale', exact: true }).waitFor();
  assert.equal(problems, []);
  await close();
});

test('subgraphs and functions are entered, and captured values lead back', async () => {
  const { page, problems, close } = await openStudio();
  await openFiles(page, notedModel());
  await startAt(page, 'yes');
  await walk(page, 'If choose');
  await walk(page, 'Open else_branch');
  await page.getByRole('navigation', { name: 'Graph path' }).getByText('else_branch of 1').waitFor();
  await startAt(page, 'else_out');
  await walk(page, 'Neg in_else');
  await details(page).getByText('ai.onnx 21').waitFor();
  await walk(page, 'y');
  await walk(page, 'Go to outer graph');
  await walk(page, `Conv stem/${EVIL}`);

  await startAt(page, 'z');
  await walk(page, 'FastGelu gelu');
  await details(page).getByText('com.microsoft 1 since 1').waitFor();
  await walk(page, 't');
  await walk(page, 'Twice twice');
  await walk(page, 'Open function');
  await startAt(page, 'a');
  await walk(page, 'Add sum');
  await details(page).getByText('ai.onnx 17 since 14').waitFor();
  assert.equal(problems, []);
  await close();
});

const model = (page: Page) => page.getByRole('region', { name: 'Model' });
const graphPath = (page: Page, title: string) =>
  page.getByRole('navigation', { name: 'Graph path' }).locator('[aria-current]').filter({ hasText: title }).waitFor();

test('what Constant nodes hold is seen as initializers are', async () => {
  const { page, problems, close } = await openStudio();
  await openFiles(page, constantsModel());
  await page.getByRole('tab', { name: 'Weights' }).click();
  const table = page.getByRole('table', { name: 'Weights' });
  for (const [name, shape, first] of [
    ['kernel', '2, 3', '-1.5'],
    ['listed', '3', '0.25'],
    ['one', '', '7'],
    ['inner', '2', '4'],
  ] as const) {
    if (name === 'inner') {
      await page.getByRole('tab', { name: 'Model' }).click();
      await startAt(page, 'yes');
      await walk(page, 'If');
      await walk(page, 'Open then_branch');
      await page.getByRole('tab', { name: 'Weights' }).click();
    }
    const row = table.getByRole('row').filter({ has: page.getByRole('button', { name, exact: true }) });
    await comesTo(() => row.locator('.mono').innerText(), shape, name);
    await row.getByRole('button', { name, exact: true }).click();
    const dialog = page.getByRole('dialog', { name });
    await comesTo(() => dialog.locator('.cells [role=cell]').first().innerText(), first, name);
    await page.keyboard.press('Escape');
  }
  assert.equal(problems, []);
  await close();
});

test('parameters and multiply-adds are those of the whole model, for the sizes that are open', async () => {
  const { page, problems, close } = await openStudio();
  await openFiles(page, constantsModel());
  const facts = model(page).locator('.facts');
  // As `sardonyx inspect` counts: tensors are parameters, attributes of numbers are not.
  await comesTo(() => facts.innerText(), /Parameters\s+6\s+Multiply-adds\s+6\b/);
  await model(page).getByLabel('rows', { exact: true }).fill('10');
  await comesTo(() => facts.innerText(), /Multiply-adds\s+60\b/);
  assert.equal(problems, []);
  await close();
});

test('the graphs of training are opened, and the weights that they set are named', async () => {
  const { page, problems, close } = await openStudio();
  await openFiles(page, trainedModel());
  await comesTo(
    () => model(page).getByRole('table', { name: 'Weights set by Training algorithm' }).innerText(),
    /w\s+← w_new/,
  );
  await model(page).getByRole('button', { name: 'Training algorithm' }).click();
  await graphPath(page, 'training algorithm');
  await startAt(page, 'w_new');
  await walk(page, 'Sub step');
  await walk(page, 'w');
  await walk(page, 'Go to outer graph');
  await graphPath(page, 'trained.onnx');
  await details(page).getByRole('button', { name: 'View tensor' }).waitFor();
  await model(page).getByRole('button', { name: 'Initialization' }).click();
  await graphPath(page, 'training initialization');
  await page.keyboard.press('ControlOrMeta+f');
  await page.getByRole('combobox', { name: 'Find in the model' }).fill('step');
  await page.getByText('1 found').waitFor();
  await page.keyboard.press('Enter');
  await graphPath(page, 'training algorithm');
  assert.equal(problems, []);
  await close();
});

async function doubleClick(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('button', { name: 'Fit' }).click();
  await stays(page, '[role=tree]');
  const box = await page.getByRole('treeitem', { name }).boundingBox();
  assert.ok(box);
  await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2);
}

test('a double click opens a function, and offers the branches of an If', async () => {
  const { page, problems, close } = await openStudio();
  await openFiles(page, notedModel());
  await doubleClick(page, /^Twice/);
  await graphPath(page, 'local:Twice');
  await page.getByRole('navigation', { name: 'Graph path' }).getByRole('button', { name: 'noted.onnx' }).click();
  await graphPath(page, 'noted.onnx');
  await doubleClick(page, /^If/);
  await page.getByRole('menuitem', { name: 'then_branch' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await doubleClick(page, /^If/);
  await page.getByRole('menuitem', { name: 'else_branch' }).click();
  await graphPath(page, 'else_branch of 1');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  assert.equal(problems, []);
  await close();
});

test('closes by Escape, and follows the model that is opened next', async () => {
  const { page, problems, close } = await openStudio();
  await openFiles(page, notedModel());
  await startAt(page, 'x');
  await details(page).getByRole('button', { name: 'Close details' }).focus();
  await page.keyboard.press('Escape');
  await details(page).waitFor({ state: 'detached' });
  assert.equal(problems, []);
  await close();
});

test.run();
