import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type GraphProto, ModelProto } from '../../build/onnx.js';
import { withFields } from '../../src/model/document/changed.js';
import { encodeExactly } from '../../src/model/document/encode.js';
import { loadModel } from '../../src/tools/load-model.js';
import { modelFrom, modelOf } from '../../src/tools/model-of.js';
import { saveModel } from '../../src/tools/save-model.js';
import { renameValues } from '../../src/tools/surgery/rename-values.js';
import { parseModel, toText } from '../../src/tools/text.js';
import { expectRejection } from '../expect-error.js';
import { shared, sharedModels } from '../shared-data.js';
import { byTier, sample } from '../tier.js';

const test = suite('the document');

const isSame = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;

test('a file that is cut short, or none of a model, is refused by what it is', async () => {
  const text = '<ir_version: 10, opset_import: ["": 21]> g (float[4] x) => (float[4] y) { y = Relu(x) }';
  const whole = (await saveModel(parseModel(text))) as Uint8Array<ArrayBuffer>;
  const cut = new File([whole.subarray(0, whole.length - 12)], 'cut.onnx');
  const ends = new RegExp(
    `^cut.onnx is truncated: it ends at byte ${whole.length - 12}, in a field that extends to byte`,
  );
  await expectRejection('INVALID_MODEL', ends, loadModel(cut));
  const page = new File(['<!doctype html><title>Not found</title>'], 'page.onnx');
  await expectRejection('INVALID_MODEL', /^page.onnx is not an ONNX model: it is a web page/, loadModel(page));
});

const folder = shared('onnx-backend-tests');
test('every backend model is encoded as it was, and its lossless text says all of it', async () => {
  const models = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.onnx'));
  assert.ok(models.length > 1000);
  for (const file of sample(models, byTier({ quick: 500, ci: 500, all: models.length }))) {
    const bytes = readFileSync(join(folder, file));
    assert.ok(isSame(encodeExactly(ModelProto, modelOf(bytes).proto), bytes), `${file}: encoded`);
    const read = parseModel(toText(modelOf(bytes), { lossless: true }));
    assert.ok(isSame(await saveModel(read), bytes), `${file}: text`);
  }
});

const models = shared('models');
for (const name of sharedModels('squeezenet1_1'))
  test('weights stay in their file, and are copied from it', async () => {
    const path = join(models, name, 'model.onnx');
    const bytes = readFileSync(path);
    const model = await loadModel(path);
    const kept = model.proto.graph?.initializer.filter(({ rawData }) => rawData.length >= 4096);
    assert.is(kept?.length, 0);
    assert.ok(isSame(await saveModel(model), bytes), 'unchanged');
    assert.ok(isSame(await saveModel({ ...model, original: undefined }), bytes), 'encoded anew');
    const target = mkdtempSync(join(tmpdir(), 'sardonyx-'));
    await saveModel({ ...model, original: undefined }, join(target, 'm.onnx'));
    assert.ok(isSame(readFileSync(join(target, 'm.onnx')), bytes), 'written');
    assert.equal(readdirSync(target), ['m.onnx']);
    rmSync(target, { recursive: true });
  });

test('unknown fields and odd encodings are kept', async () => {
  // ir_version 8 as a long varint, an unknown field 99, ir_version again.
  const odd = Uint8Array.of(8, 0x88, 0x80, 0, 0x98, 6, 7, 8, 8);
  assert.ok(isSame(await saveModel(modelOf(odd)), odd));
  assert.ok(isSame(await saveModel(modelFrom(modelOf(odd).proto)), Uint8Array.of(8, 8, 0x98, 6, 7)));
  assert.ok(isSame(await saveModel(parseModel(toText(modelOf(odd), { lossless: true }))), odd));
});

test('lossless text has words with separators of lines and paragraphs', async () => {
  const model = parseModel('<ir_version: 8, opset_import: ["" : 17]> g () => () { x = Constant <value_int = 1> () }');
  const graph = model.proto.graph as GraphProto;
  const node = graph.node.map((one) => withFields(one, { docString: 'a\u2028b\u2029c' }));
  const said = withFields(model.proto, { graph: withFields(graph, { node }) });
  const bytes = encodeExactly(ModelProto, said);
  assert.ok(isSame(await saveModel(parseModel(toText(modelOf(bytes), { lossless: true }))), bytes));
});

test('metadata, documentation and quantisation annotations of nodes and values are kept, through edits too', async () => {
  const props = (of: string) => [
    { key: 'namespace', value: of },
    { key: '', value: 'é\n' },
    { key: 'namespace', value: 'again' },
  ];
  const value = (name: string) => ({
    name,
    docString: `of ${name}`,
    metadataProps: props(name),
    type: { tensorType: { elemType: 1, shape: { dim: [{ dimParam: 'n' }] } } },
  });
  const node = (opType: string, input: string, output: string) => ({
    opType,
    input: [input],
    output: [output],
    docString: `${opType}, "quoted"`,
    metadataProps: props(opType),
  });
  const graph = {
    name: 'g',
    docString: 'the graph',
    metadataProps: props('graph'),
    node: [node('Relu', 'x', 'h'), node('Neg', 'h', 'y')],
    input: [value('x')],
    output: [value('y')],
    valueInfo: [value('h')],
    quantizationAnnotation: [
      { tensorName: 'h', quantParameterTensorNames: [{ key: 'SCALE_TENSOR', value: 'h_scale' }] },
    ],
  };
  const written = { irVersion: 10, opsetImport: [{ domain: '', version: 21 }], graph };
  const bytes = ModelProto.encode(written as never).finish();
  assert.ok(isSame(await saveModel(await loadModel(bytes)), bytes), 'as they were');
  assert.ok(isSame(await saveModel(parseModel(toText(await loadModel(bytes), { lossless: true }))), bytes), 'by text');

  const renamed = await renameValues(await loadModel(bytes), { h: 'hidden' });
  const kept = modelOf(await saveModel(renamed)).proto.graph;
  assert.equal(
    kept?.node.map(({ metadataProps }) => metadataProps.map(({ value }) => value)),
    [
      ['Relu', 'é\n', 'again'],
      ['Neg', 'é\n', 'again'],
    ],
  );
  assert.equal(
    kept?.node.map(({ docString }) => docString),
    ['Relu, "quoted"', 'Neg, "quoted"'],
  );
  assert.equal([kept?.valueInfo[0]?.name, kept?.valueInfo[0]?.docString], ['hidden', 'of h']);
  assert.is(kept?.quantizationAnnotation[0]?.tensorName, 'hidden');
});

test('an error says line, column and what was expected', () => {
  assert.throws(() => parseModel('g () => () {\n  y = Relu[x]\n}'), /^line 2, column 11: expected "\("/);
});

test.run();
