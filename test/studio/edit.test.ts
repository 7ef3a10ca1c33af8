import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ModelProto } from '../../build/onnx.js';
import { checkModel, loadModel } from '../../src/tools/index.js';
import { placeOf } from '../../studio/src/documents/issues-of.js';
import { ATTRIBUTE_VALUES } from '../../studio/src/edit/attribute-values.js';
import { evenly, hasNative, runNatively } from '../toolkit/quantize/runs.js';
import { f32 } from '../values.js';
import { modelOfTensors, notedModel } from './details-model.js';
import { closeStudio, type Opened, openFiles, openStudio, type Page } from './studio-page.js';

const test = suite('studio/edit');
test.after(closeStudio);

const digits = new URL('../../examples/digits/model.onnx', import.meta.url).pathname;

test('what is written for an attribute is read by its type', () => {
  assert.equal(ATTRIBUTE_VALUES.ints('3, -4'), [3, -4]);
  assert.equal(ATTRIBUTE_VALUES.int('9223372036854775807'), 9223372036854775807n);
  assert.equal(ATTRIBUTE_VALUES.floats('1e-3, inf'), [1e-3, Number.POSITIVE_INFINITY]);
  assert.equal(ATTRIBUTE_VALUES.strings(''), []);
  assert.throws(() => ATTRIBUTE_VALUES.int('1.5'), '"1.5" is no whole number');
  assert.throws(() => ATTRIBUTE_VALUES.float('three'), '"three" is no number');
});

test('an issue leads to the node it is about, in subgraphs and functions too', () => {
  const proto = { functions: [{ domain: 'd', name: 'F' }] } as unknown as ModelProto;
  assert.equal(placeOf('graph.node[3].input[0]', proto), { graph: '', node: 3 });
  assert.equal(placeOf('graph.node[1].attribute.body.g.node[2].op_type', proto), { graph: '1/body', node: 2 });
  assert.equal(placeOf('functions[0].node[4].attribute.then.g.node[0]', proto), {
    graph: 'function/d:F/4/then',
    node: 0,
  });
  assert.equal(placeOf('graph.initializer[2]', proto), { graph: '', node: -1 });
});

async function editing(path: string | readonly string[]): Promise<Opened> {
  const studio = await openStudio();
  await openFiles(studio.page, path);
  await studio.page.getByRole('region', { name: 'Model' }).waitFor();
  return studio;
}

const details = (page: Page) => page.getByRole('complementary', { name: 'Details' });
const editor = (page: Page) => page.getByRole('region', { name: 'Editor' });

/** Selects what a search finds. */
async function select(page: Page, query: string, heading: string): Promise<void> {
  await page.getByRole('tab', { name: 'Find' }).click();
  await page.getByRole('combobox', { name: 'Find in the model' }).fill(query);
  await page.keyboard.press('Enter');
  await details(page).getByRole('heading', { name: heading, exact: true }).waitFor();
  await page.getByRole('tab', { name: 'Edit' }).click();
}

async function write(page: Page, label: string | RegExp, text: string): Promise<void> {
  const field = editor(page).getByLabel(label);
  await field.fill(text);
  await field.press('Enter');
}

async function saved(page: Page): Promise<Buffer> {
  const given = page.waitForEvent('download');
  await editor(page).getByRole('button', { name: 'Save', exact: true }).click();
  return readFileSync(await (await given).path());
}

const checked = async (bytes: Uint8Array) =>
  (await checkModel(await loadModel(bytes), { full: true })).filter(({ severity }) => severity === 'error');

test('names, attributes and outputs are changed, undone and saved; the checker follows', async () => {
  const { page, problems, close } = await editing(notedModel());
  await select(page, 'choose', 'If');
  await write(page, 'Name', 'choice');
  await details(page).getByText('choice', { exact: true }).waitFor();

  await select(page, 'group=1', 'Conv');
  await write(page, 'kernel_shape, ints', '3, 4');
  await editor(page)
    .getByText(/errors?$/)
    .waitFor();
  const issue = editor(page).locator('.issues .link').first();
  await issue.click();
  await editor(page).getByRole('button', { name: 'Undo' }).click();
  await editor(page).getByText('no errors').waitFor();
  assert.is(await editor(page).getByLabel('kernel_shape, ints').inputValue(), '3, 3');
  await editor(page).getByText('Attributes that it leaves out').click();
  await write(page, 'strides, ints', '1, 1');
  await editor(page).getByRole('button', { name: 'Remove strides' }).waitFor();

  await select(page, '"y"', 'y');
  await write(page, 'Name', 'renamed');
  await details(page).getByRole('heading', { name: 'renamed', exact: true }).waitFor();
  await details(page).getByRole('button', { name: 'Make it an output' }).click();
  await details(page).getByText('output', { exact: true }).waitFor();

  const proto = ModelProto.decode(await saved(page));
  assert.is(proto.graph?.node[1]?.name, 'choice');
  assert.equal(proto.graph?.node[0]?.output, ['renamed']);
  assert.equal(
    proto.graph?.output.map(({ name }) => name),
    ['z', 'renamed'],
  );
  assert.equal(
    proto.graph?.node[0]?.attribute.map(({ name }) => name),
    ['kernel_shape', 'group', 'strides'],
  );
  assert.is(proto.graph?.node[1]?.attribute[0]?.g?.node[0]?.input[0], 'renamed', 'its readers in subgraphs too');
  assert.is(proto.graph?.quantizationAnnotation[0]?.tensorName, 'renamed');
  assert.equal(await checked(await saved(page)), []);
  assert.equal(problems, []);
  await close();
});

test('a part is cut out, which computes what the whole did there', async () => {
  const { page, problems, close } = await editing(digits);
  const { graph } = ModelProto.decode(readFileSync(digits));
  const made = graph?.node.find(({ opType }) => opType === 'MaxPool')?.output[0] as string;
  await select(page, `"${made}"`, made);
  await editor(page)
    .getByRole('button', { name: `Add ${made}` })
    .last()
    .click();
  await editor(page).getByRole('button', { name: 'Cut out' }).click();
  await page.getByRole('tab', { name: 'Model' }).click();
  const outputs = page.getByRole('region', { name: 'Model' }).locator('section').filter({ hasText: 'Outputs' });
  await outputs.getByRole('button', { name: made }).waitFor();
  await page.getByRole('tab', { name: 'Edit' }).click();

  const part = await saved(page);
  assert.equal(await checked(part), []);
  if (hasNative) {
    const feeds = { image: f32([1, 1, 8, 8], evenly(64, 9)) };
    const whole = ModelProto.decode(readFileSync(digits));
    whole.graph?.output.push({ name: made } as never);
    const expected = (await runNatively(ModelProto.encode(whole).finish(), feeds))[made];
    assert.equal((await runNatively(part, feeds))[made]?.data, expected?.data);
  }
  await editor(page).getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('tab', { name: 'Model' }).click();
  await page.getByRole('region', { name: 'Model' }).getByText('Gemm').first().waitFor();
  assert.equal(problems, []);
  await close();
});

test('sizes and the opset are changed, nodes deleted; what is impossible is refused in words', async () => {
  const { page, problems, close } = await editing(digits);
  await page.getByRole('region', { name: 'Model' }).getByRole('button', { name: 'image', exact: true }).click();
  await page.getByRole('tab', { name: 'Edit' }).click();
  await write(page, 'Dim 0', '5');
  await details(page).getByText('float32[5, 1, 8, 8]').waitFor();
  await write(page, 'Opset', '99');
  await page.getByText('Changing failed').waitFor();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await write(page, 'Opset', '19');
  await page.getByRole('tab', { name: 'Model' }).click();
  await page.getByRole('region', { name: 'Model' }).getByText('ai.onnx 19').waitFor();

  await select(page, 'softmax', 'Softmax');
  await editor(page).getByRole('button', { name: 'Delete the node' }).click();
  await details(page).getByRole('heading', { name: 'Gemm', exact: true }).waitFor();
  await editor(page).getByText('no errors').waitFor();
  const { graph, opsetImport } = ModelProto.decode(await saved(page));
  assert.equal(
    opsetImport.map(({ version }) => Number(`${(version as { low?: number }).low ?? version}`)),
    [19],
  );
  assert.not.ok(graph?.node.some(({ opType }) => opType === 'Softmax'));
  assert.equal(await checked(await saved(page)), []);
  assert.equal(problems, []);
  await close();
});

test('weights go into a file beside, in a zip, and come back', async () => {
  const weight = evenly(5000, 1);
  const path = modelOfTensors([{ name: 'w', dataType: 1, dims: [5000], rawData: new Uint8Array(weight.buffer) }]);
  const { page, problems, close } = await editing(path);
  await page.getByRole('tab', { name: 'Edit' }).click();
  const given = page.waitForEvent('download');
  await editor(page).getByRole('button', { name: 'Save with weights beside' }).click();
  const download = await given;
  assert.is(download.suggestedFilename(), 'tensors.onnx.zip');
  const files = unzipSync(readFileSync(await download.path()));
  assert.equal(Object.keys(files).sort(), ['tensors.onnx', 'tensors.onnx.data']);
  assert.ok(Buffer.from(weight.buffer).equals(files['tensors.onnx.data']?.slice(0, 20_000) as Uint8Array));

  const beside = Object.entries(files).map(([name, bytes]) => {
    const file = join(path, '..', `unzipped-${name.replace('tensors.onnx', 'm.onnx')}`);
    return [file, bytes] as const;
  });
  const renamed = beside.map(([file]) => file.replace('unzipped-m.onnx', 'tensors.onnx'));
  beside.forEach(([, bytes], i) => {
    writeFileSync(renamed[i] as string, bytes);
  });
  await openFiles(page, renamed);
  await page.getByRole('tab', { name: 'Model' }).click();
  await page.getByRole('tab', { name: 'Edit' }).click();
  const proto = ModelProto.decode(await saved(page));
  assert.ok(Buffer.from(weight.buffer).equals(proto.graph?.initializer[0]?.rawData as Uint8Array));
  assert.equal(problems, []);
  await close();
});

test.run();
