import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { leading } from '../tier.js';
import { EVIL, notedModel } from './details-model.js';
import { closeStudio, openFiles, openStudio, type Page } from './studio-page.js';
import { comesTo } from './waiting.js';

const test = leading(suite('studio/details'), { ci: 1 });
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
