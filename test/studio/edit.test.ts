import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { AttributeProto, ModelProto } from '../../build/onnx.js';
import { toBigInt } from '../../src/model/int64.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { writeNpy } from '../../src/tensors/index.js';
import { checkModel, loadModel, parseModel, saveModel } from '../../src/tools/index.js';
import type { WrittenKind } from '../../studio/src/workers/contracts/changes.js';
import { attributeOf } from '../../studio/src/workers/documents/attribute-values.js';
import { placeOf } from '../../studio/src/workers/documents/issues-of.js';
import { writtenAttribute } from '../../studio/src/workers/documents/written-attribute.js';
import { leading } from '../tier.js';
import { evenly, hasNative, run, runNatively } from '../toolkit/quantize/runs.js';
import { f32 } from '../values.js';
import { modelOfTensors, notedModel, written } from './details-model.js';
import { closeStudio, type Opened, openFiles, openStudio, type Page } from './studio-page.js';
import { comesTo } from './waiting.js';

const test = leading(suite('studio/edit'), { ci: 5 });
test.after(closeStudio);

const digits = new URL('../../examples/digits/model.onnx', import.meta.url).pathname;

const WRITTEN: readonly (readonly [kind: WrittenKind, text: string])[] = [
  ['ints', '3, -4'],
  ['int', '9223372036854775807'],
  ['int', '-9223372036854775808'],
  ['floats', '0.001, Infinity, -Infinity, NaN'],
  ['float', '16777216'],
  ['string', 'a, "b"\\n\\\\'],
  ['string', 'a\\x5c\\xff'],
  ['strings', 'a, b\n""\n\\x22\\x22\n\\xff\\xfe\nline\\nline'],
  ['strings', ''],
  ['type_proto', 'sequence(map(int64, float32[batch, 3]))'],
  ['type_protos', 'float32[]\noptional(sparse float16[?, 2])\nstring'],
  ['reference', 'alpha'],
];

test('attributes of each kind are read as they are written', () => {
  for (const [kind, text] of WRITTEN) {
    const made = attributeOf('a', { kind, text });
    const file = AttributeProto.decode(AttributeProto.encode(made).finish());
    assert.equal(writtenAttribute(file), { kind, text });
  }
  const strings = attributeOf('a', { kind: 'strings', text: 'é\n\\xff\\x00\\d' }).strings;
  assert.equal(
    strings.map((bytes) => [...bytes]),
    [
      [0xc3, 0xa9],
      [0xff, 0, 0x5c, 0x64],
    ],
  );
});

test('what is no value of its kind is refused in words', () => {
  const refused = (kind: WrittenKind, text: string, says: RegExp) =>
    assert.throws(() => attributeOf('a', { kind, text }), says);
  refused('int', '1.5', /"1.5" is not an integer/);
  refused('int', '9223372036854775808', /does not fit in 64 bits/);
  refused('float', 'three', /"three" is not a number/);
  refused('type_proto', 'float99[2]', /"float99" is not an element type/);
  refused('type_proto', 'float32[2', /is not a type/);
  refused('reference', ' ', /enter the name of an attribute/);
});

test('an issue leads to the node it is about, in subgraphs and functions too', () => {
  const proto = { functions: [{ domain: 'd', name: 'F' }] } as unknown as ModelProto;
  assert.equal(placeOf('graph.node[3].input[0]', proto), { graph: '', node: 3 });
  assert.equal(placeOf('graph.node[1].attribute.body.g.node[2].op_type', proto), { graph: '1/body', node: 2 });
  assert.equal(placeOf('functions[0].node[4].attribute.then.g.node[0]', proto), {
    graph: 'function/d:F/4/then',
    node: 0,
  });
  assert.equal(placeOf('graph.node[2].attribute.branches.graphs[1].node[0].input[0]', proto), {
    graph: '2/branches[1]',
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

async function write(page: Page, label: string, text: string): Promise<void> {
  const field = editor(page).getByLabel(label, { exact: true }).first();
  await field.fill(text);
  await field.press('ControlOrMeta+Enter');
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
  await comesTo(() => editor(page).getByLabel('kernel_shape, ints').inputValue(), '3, 3');
  await editor(page).getByText('Unset attributes').click();
  await write(page, 'strides, ints', '1, 1');
  await editor(page).getByRole('button', { name: 'Remove strides' }).waitFor();

  await select(page, '"y"', 'y');
  await write(page, 'Name', 'renamed');
  await details(page).getByRole('heading', { name: 'renamed', exact: true }).waitFor();
  await details(page).getByRole('button', { name: 'Add to outputs' }).click();
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
  await editor(page).getByRole('button', { name: 'Extract' }).click();
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
  await page.getByText('Applying the change failed').waitFor();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await write(page, 'Opset', '19');
  await page.getByRole('tab', { name: 'Model' }).click();
  await page.getByRole('region', { name: 'Model' }).getByText('ai.onnx 19').waitFor();

  await select(page, 'softmax', 'Softmax');
  await editor(page).getByRole('button', { name: 'Delete node' }).click();
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

const DEEP = `<ir_version: 10, opset_import: ["": 21, "local": 1, "ai.onnx.ml": 3]>
deep (float[n, 3] x, bool yes) => (float[n, 3] z, int64[2] codes) {
  c = Constant <value = float[3] {1, 2, 3}> ()
  s = Add (x, c)
  chosen = If (yes) <
    then_branch = positive () => (float[n, 3] a) { r = Relu (s) a = Neg (r) },
    else_branch = any () => (float[n, 3] b) { b = Identity (s) }
  >
  z = local.Twice <alpha = 0.5> (chosen)
  names = Constant <value_strings = ["a", "b"]> ()
  codes = ai.onnx.ml.LabelEncoder <keys_strings = ["a", "b"], values_int64s = [1, 2], default_int64 = -1> (names)
}
<domain: "local", opset_import: ["": 21]>
Twice <alpha> (v) => (w) {
  d = Add (v, v)
  l = LeakyRelu <alpha: float = @alpha> (d)
  w = Neg (l)
}`;

async function deepModel(): Promise<string> {
  const path = join(mkdtempSync(join(tmpdir(), 'studio-')), 'deep.onnx');
  writeFileSync(path, await saveModel(parseModel(DEEP)));
  return path;
}

/** What DEEP computes once the two Negs are gone, with such a constant and slope. */
const deepResult = (x: readonly number[], yes: boolean, c: readonly number[], alpha: number): number[] =>
  x.map((value, i) => {
    const sum = value + (c[i % 3] as number);
    const doubled = 2 * (yes ? Math.max(sum, 0) : sum);
    return doubled < 0 ? alpha * doubled : doubled;
  });

/** By keys, wherever the focus is. */
const press = async (page: Page, keys: string) => {
  await page.keyboard.press(keys);
  await page.getByRole('banner').locator('progress').waitFor({ state: 'detached' });
};

test('functions, subgraphs, tensors and lists of strings are edited; onnxruntime computes what they say then', async () => {
  const path = await deepModel();
  const { page, problems, close } = await editing(path);
  await select(page, 'Twice', 'Twice');
  await write(page, 'alpha, float', '0.25');
  await details(page).getByRole('button', { name: 'Open function' }).click();
  await select(page, '"w"', 'w');
  await details(page).getByRole('button', { name: /^Neg/ }).click();
  await editor(page).getByRole('button', { name: 'Delete node' }).click();
  await details(page).getByRole('heading', { name: 'LeakyRelu', exact: true }).waitFor();
  await comesTo(() => editor(page).getByLabel('alpha, attribute of the function').inputValue(), 'alpha');
  await press(page, 'ControlOrMeta+z');
  await page.getByRole('treeitem', { name: /^Neg/ }).waitFor({ state: 'attached' });
  await press(page, 'ControlOrMeta+y');
  await page.getByRole('treeitem', { name: /^Neg/ }).waitFor({ state: 'detached' });

  await select(page, '"a"', 'a');
  await details(page).getByRole('button', { name: /^Neg/ }).click();
  await editor(page).getByRole('button', { name: 'Delete node' }).click();
  await page.getByRole('treeitem', { name: /^Neg/ }).waitFor({ state: 'detached' });
  await select(page, 'LabelEncoder', 'LabelEncoder');
  await write(page, 'keys_strings, strings, one per line', 'b\nwith, a comma\na');
  await write(page, 'values_int64s, ints', '1, 9007199254740993, 2');
  await select(page, '"c"', 'c');
  await editor(page).getByRole('button', { name: 'View tensor' }).click();
  const dialog = page.getByRole('dialog', { name: 'c' });
  await dialog.getByRole('cell', { name: '2', exact: true }).click();
  await dialog.getByLabel('Element', { exact: true }).fill('20');
  await dialog.getByLabel('Element', { exact: true }).press('Enter');
  await dialog.getByRole('cell', { name: '20', exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  const feeds = (yes: boolean) => ({
    x: f32([2, 3], Float32Array.of(-9, 1, 2, 0, -50, 3)),
    yes: { type: 'bool', dims: [], data: Uint8Array.of(yes ? 1 : 0) } as TensorValue,
  });
  const holds = async (bytes: Uint8Array, c: readonly number[]) => {
    assert.equal(await checked(bytes), []);
    for (const yes of [true, false]) {
      const given = feeds(yes);
      const expected = deepResult([...(given.x.data as Float32Array)], yes, c, 0.25);
      const found = hasNative ? await runNatively(bytes, given) : await run(bytes, given);
      assert.equal([...((found.z as TensorValue).data as Float32Array)], expected);
      assert.equal([...((found.codes as TensorValue).data as BigInt64Array)], [2n, 1n]);
    }
  };
  await holds(await saved(page), [1, 20, 3]);

  const npy = join(path, '..', 'c.npy');
  writeFileSync(npy, writeNpy(f32([3], Float32Array.of(10, 0.5, -3))));
  await editor(page).getByLabel('Replace c with a .npy file').setInputFiles(npy);
  await details(page).getByText('float32[3]').first().waitFor();
  await page.getByRole('banner').locator('progress').waitFor({ state: 'detached' });
  await holds(await saved(page), [10, 0.5, -3]);
  assert.equal(problems, []);
  await close();
});

/** What a branch may be: its result is what is written down here, once `Squeeze` is what it is in opset 21. */
const CONSTANT = `<ir_version: 8, opset_import: ["": 12]>
given () => (float[3] out) <float[1, 3] kept = {4, 5, 6}> { out = Squeeze <axes = [0]> (kept) }`;

const FOREIGN = '<ir_version: 8, opset_import: ["": 21, "far": 3]> far () => (float[3] out) { out = far.Made () }';

const graphOf = (name: string, opType: string) => ({
  name,
  node: [{ opType, input: ['s'], output: [`${name}_out`], name: `in_${name}` }],
  output: [{ name: `${name}_out`, type: { tensorType: { elemType: 1, shape: { dim: [{ dimValue: 3 }] } } } }],
});

const branchesModel = (): string => {
  const float3 = graphOf('', '').output[0]?.type;
  const branches = { name: 'branches', type: 10, graphs: [graphOf('one', 'Abs'), graphOf('two', 'Exp')] };
  const attribute = [
    { name: 'then_branch', type: 5, g: graphOf('then', 'Neg') },
    { name: 'else_branch', type: 5, g: graphOf('else', 'Identity') },
  ];
  return written('branches.onnx', {
    irVersion: 10,
    opsetImport: [
      { domain: '', version: 21 },
      { domain: 'local', version: 1 },
    ],
    graph: {
      name: 'main',
      input: [
        { name: 'x', type: float3 },
        { name: 'yes', type: { tensorType: { elemType: 9, shape: { dim: [] } } } },
      ],
      output: [{ name: 'z', type: float3 }],
      node: [
        { opType: 'Relu', input: ['x'], output: ['s'] },
        { opType: 'If', input: ['yes'], output: ['z'], attribute },
        { opType: 'Switch', domain: 'local', input: ['s'], output: ['w'], attribute: [branches] },
      ],
    },
  });
};

async function textModel(text: string): Promise<string> {
  const path = join(mkdtempSync(join(tmpdir(), 'studio-')), 'given.onnx');
  writeFileSync(path, await saveModel(parseModel(text)));
  return path;
}

const isIdle = (page: Page) => page.getByRole('banner').locator('progress').waitFor({ state: 'detached' });

test('graphs of attributes are entered, replaced, added and taken away, one of a list as one alone', async () => {
  const [given, foreign] = await Promise.all([textModel(CONSTANT), textModel(FOREIGN)]);
  const { page, problems, close } = await editing(branchesModel());
  await select(page, 'Exp', 'Exp');
  await page.getByRole('button', { name: 'branches[1] of 2' }).waitFor();
  await write(page, 'Name', 'grown');
  await details(page).getByText('grown', { exact: true }).waitFor();
  await select(page, 'Switch', 'Switch');
  await details(page).getByRole('button', { name: 'Open branches[0]' }).click();
  await page.getByRole('treeitem', { name: /^Abs/ }).waitFor({ state: 'attached' });
  await select(page, 'Switch', 'Switch');
  await write(page, 'Graph name of branches[0]', 'first');
  await editor(page).getByLabel('Add a graph from a model to branches').setInputFiles(given);
  await editor(page).getByLabel('Graph name of branches[2]').waitFor();
  const saves = async () => ModelProto.decode(await saved(page)).graph?.node ?? [];
  const [, , longer] = await saves();
  assert.equal(
    longer?.attribute[0]?.graphs.map(({ name, node }) => [name, node.at(-1)?.opType, node.at(-1)?.name]),
    [
      ['first', 'Abs', 'in_one'],
      ['two', 'Exp', 'grown'],
      ['given', 'Squeeze', ''],
    ],
  );
  await editor(page).getByRole('button', { name: 'Remove branches[0]' }).click();
  await editor(page).getByLabel('Graph name of branches[2]').waitFor({ state: 'detached' });
  await editor(page).getByLabel('Replace branches[0] with a graph from a model').setInputFiles(given);
  await details(page).getByText('given, given').waitFor();

  await editor(page).getByText('Unset attributes').click();
  await editor(page).getByLabel('Name').fill('extra');
  await editor(page).getByLabel('Type').selectOption('graph');
  await editor(page).getByLabel('Add a graph from a model to extra').setInputFiles(given);
  await editor(page).getByRole('button', { name: 'Remove extra' }).waitFor();
  await editor(page).getByLabel('Replace branches[1] with a graph from a model').setInputFiles(foreign);
  await page.getByText('the nodes in the file use far 3, but the model imports no version').waitFor();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  const [, , both] = await saves();
  assert.equal(
    both?.attribute.map(({ name, g, graphs }) => [name, g?.name, graphs.map((each) => each.name)]),
    [
      ['branches', undefined, ['given', 'given']],
      ['extra', 'given', []],
    ],
  );

  await editor(page).getByRole('button', { name: 'Delete node' }).click();
  await page.getByRole('treeitem', { name: /^Switch/ }).waitFor({ state: 'detached' });
  await select(page, 'If', 'If');
  await editor(page).getByLabel('Replace then_branch with a graph from a model').setInputFiles(given);
  await details(page).getByText('given', { exact: true }).waitFor();
  await isIdle(page);
  const bytes = await saved(page);
  assert.equal(await checked(bytes), []);
  for (const [yes, expected] of [
    [1, [4, 5, 6]],
    [0, [0, 2, 0]],
  ] as const) {
    const feeds = {
      x: f32([3], Float32Array.of(-1, 2, 0)),
      yes: { type: 'bool', dims: [], data: Uint8Array.of(yes) } as TensorValue,
    };
    const { z } = hasNative ? await runNatively(bytes, feeds) : await run(bytes, feeds);
    assert.equal([...((z as TensorValue).data as Float32Array)], [...expected]);
  }
  assert.equal(problems, []);
  await close();
});

test('names, notes, versions and types are changed, and by keys undone to the very bytes', async () => {
  const path = await deepModel();
  const { page, problems, close } = await editing(path);
  await select(page, '"x"', 'x');
  await write(page, 'Dim 1', '4');
  await details(page).getByText('float32[n, 4]').first().waitFor();
  await write(page, 'Dim 1', 'width');
  await details(page).getByText('float32[n, width]').first().waitFor();
  await write(page, 'Type', 'float16[batch, 3]');
  await details(page).getByText('float16[batch, 3]').first().waitFor();
  const value = editor(page).getByRole('region', { name: 'Value' });
  await value.getByText('Description and metadata').click();
  await value.getByLabel('Description').fill('what comes in');
  await value.getByLabel('Description').press('ControlOrMeta+Enter');
  await details(page).getByText('what comes in').waitFor();
  const graph = editor(page).getByRole('region', { name: 'Current graph' });
  await write(page, 'Graph name', 'deeper');
  await write(page, 'Opset version of ai.onnx.ml', '4');
  const whole = editor(page).getByRole('region', { name: 'Model' });
  await write(page, 'Producer', 'nobody');
  await write(page, 'Model version', '9007199254740993');
  await whole.getByText('Description and metadata').click();
  await whole.getByLabel('New metadata key').fill('author');
  await whole.getByRole('button', { name: 'Add' }).click();
  await write(page, 'author', 'somebody');
  await page.getByRole('tab', { name: 'Model' }).click();
  await page.getByRole('region', { name: 'Model' }).getByRole('button', { name: 'local:Twice' }).click();
  await page.getByRole('tab', { name: 'Edit' }).click();
  await write(page, 'Function name', 'Double');
  await page.getByRole('treeitem', { name: /^Double/ }).waitFor({ state: 'attached' });
  await comesTo(() => graph.getByLabel('Graph name').inputValue(), 'deeper');

  const bytes = await saved(page);
  const proto = ModelProto.decode(bytes);
  const [input] = proto.graph?.input ?? [];
  assert.is(proto.graph?.name, 'deeper');
  assert.is(input?.docString, 'what comes in');
  assert.equal([input?.type?.tensorType?.elemType, input?.type?.tensorType?.shape?.dim[0]?.dimParam], [10, 'batch']);
  assert.equal(
    [proto.producerName, proto.functions[0]?.name, proto.graph?.node[3]?.opType],
    ['nobody', 'Double', 'Double'],
  );
  assert.equal(toBigInt(proto.modelVersion as never), 9007199254740993n);
  assert.equal(
    proto.metadataProps.map(({ key, value }) => [key, value]),
    [['author', 'somebody']],
  );
  await page.getByText(/^Saved .* with \d errors?$/).waitFor();
  assert.ok((await editor(page).locator('.issues li').count()) > 0);

  await editor(page).getByRole('heading', { name: 'Edit' }).click();
  await page.getByRole('tree', { name: 'Graph' }).focus();
  const undoing = editor(page).getByRole('button', { name: 'Undo' });
  for (let i = 0; i < 11; i++) {
    await comesTo(() => undoing.getAttribute('aria-disabled'), 'false', `${i} were undone`);
    await press(page, 'ControlOrMeta+z');
  }
  await editor(page).locator('button[aria-disabled="true"]', { hasText: 'Undo' }).waitFor();
  await editor(page).getByText('no errors').waitFor();
  assert.ok((await saved(page)).equals(readFileSync(path)), 'what was undone is the file that it was');
  assert.equal(problems, []);
  await close();
});

test('weights go into a file beside, in a zip, and come back', async () => {
  const weight = evenly(5000, 1);
  const path = modelOfTensors([{ name: 'w', dataType: 1, dims: [5000], rawData: new Uint8Array(weight.buffer) }]);
  const { page, problems, close } = await editing(path);
  await page.getByRole('tab', { name: 'Edit' }).click();
  const given = page.waitForEvent('download');
  await editor(page).getByRole('button', { name: 'Save with external weights' }).click();
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
