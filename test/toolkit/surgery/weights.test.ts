import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { TensorProto } from '../../../build/onnx.js';
import { withChanges, withFields } from '../../../src/model/document/changed.js';
import { allOf, LeftBytes } from '../../../src/model/document/left-bytes.js';
import type { Model } from '../../../src/model/document/model.js';
import { fromExternalData, toExternalData } from '../../../src/tools/external-data.js';
import { loadModel } from '../../../src/tools/load-model.js';
import { modelOf, withProto } from '../../../src/tools/model-of.js';
import { saveModel } from '../../../src/tools/save-model.js';
import { deduplicateWeights, restoreWeights, stripWeights } from '../../../src/tools/surgery/index.js';
import { rawDataOf } from '../../../src/tools/tensor-data.js';
import { sharedModel } from '../../shared-data.js';
import { errorsOf, graphOf, model, names, refuses, withAnnotation } from './models.js';

const test = suite('weights');

const TIED = model(
  `g (bool b, float[2] x, float[2] d) => (float[2] y, float[2] o) <
      float[2] v = {1, 2}, float[2] w = {1, 2}, int32[2] i = {1, 2}, float[2] o = {1, 2}, float[2] d = {1, 2}, float[1, 2] r = {1, 2}> {
    s = Add(v, w)
    k = Sub(s, r)
    h = Cast <to = 1> (i)
    y = If(b) <
      then_branch = p () => (float[2] t) <float[2] inner = {1, 2}> { t = Add(x, inner) },
      else_branch = q () => (float[2] u) { u = Add(x, w) }>
  }`,
);

test('equal constants are one, also in subgraphs; inputs and outputs stay', async () => {
  const tied = await deduplicateWeights(TIED);
  assert.equal(names(graphOf(tied).initializer), ['v', 'i', 'o', 'd', 'r']);
  assert.equal(graphOf(tied).node[0]?.input, ['v', 'v']);
  const [then, otherwise] = graphOf(tied).node[3]?.attribute.map(({ g }) => g) ?? [];
  assert.equal([then?.initializer, then?.node[0]?.input, otherwise?.node[0]?.input], [[], ['x', 'v'], ['x', 'v']]);
  assert.equal(await errorsOf(tied), []);
  assert.is(await deduplicateWeights(tied), tied);
});

test('a note about a constant that is tied speaks of the other', async () => {
  const noted = withAnnotation(TIED, {
    tensorName: 'y',
    quantParameterTensorNames: [{ key: 'SCALE_TENSOR', value: 'w' }],
  });
  const [note] = graphOf(await deduplicateWeights(noted)).quantizationAnnotation;
  assert.is(note?.quantParameterTensorNames[0]?.value, 'v');
});

/** The model with its constants left in a store, of which it is counted how much is read at once. */
function leftElsewhere(given: Model): { readonly left: Model; readonly most: () => number } {
  let most = 0;
  const graph = graphOf(given);
  const initializer = graph.initializer.map((tensor) => {
    const bytes = tensor.rawData;
    const range = (begin: number, end: number) => {
      most = Math.max(most, end - begin);
      return bytes.subarray(begin, end);
    };
    return bytes.length > 0 ? withFields(tensor, { rawData: new LeftBytes(bytes.length, range) as never }) : tensor;
  });
  return {
    left: withProto(given, withChanges(given.proto, { graph: withChanges(graph, { initializer }) })),
    most: () => most,
  };
}

const folder = sharedModel('bert_mini');
if (folder) {
  const bert = join(folder, 'model.onnx');
  test('weights that were left in their file are compared there', async () => {
    const given = modelOf(readFileSync(bert));
    const twice = withChanges(given.proto, {
      graph: withChanges(graphOf(given), {
        initializer: [
          ...graphOf(given).initializer,
          ...graphOf(given).initializer.map((tensor) => withChanges(tensor, { name: `${tensor.name}/copy` })),
        ],
      }),
    });
    const { left, most } = leftElsewhere(withProto(given, twice));
    const tied = await deduplicateWeights(left);
    assert.ok(names(graphOf(tied).initializer).every((name) => !name.endsWith('/copy')));
    assert.ok(most() <= 2 ** 22, `${most()} bytes at once`);
    assert.ok(graphOf(tied).initializer.some(({ rawData }) => rawData instanceof LeftBytes));
  });

  test('a model without its weights is small and valid, and gets the very same back', async () => {
    const given = await loadModel(bert);
    const stripped = await stripWeights(given);
    assert.equal(await errorsOf(stripped), []);
    const bytes = await saveModel(stripped);
    assert.ok(bytes.length < (await saveModel(given)).length / 20, `${bytes.length} bytes`);
    const whole = await fromExternalData(await toExternalData(given));
    for (const restored of [
      await restoreWeights(modelOf(bytes), given),
      await restoreWeights(stripped, await toExternalData(given)),
    ])
      for (const tensor of graphOf(whole).initializer) {
        const found = graphOf(restored).initializer.find(({ name }) => name === tensor.name) as TensorProto;
        const [before, after] = [await rawDataOf(tensor, whole), await rawDataOf(found, restored)].map(allOf);
        assert.is(Buffer.compare((await before) as Uint8Array, (await after) as Uint8Array), 0, tensor.name);
      }
    const external = await restoreWeights(stripped, await toExternalData(given));
    assert.equal(await errorsOf(external), []);
  });
}

test('weights of other contents are refused', async () => {
  const of = (numbers: string) => model(`g (float[3] x) => (float[3] y) <float[3] w = {${numbers}}> { y = Add(x, w) }`);
  const stripped = await stripWeights(of('1, 2, 3'), { threshold: 12 });
  assert.equal(names(graphOf(stripped).initializer), []);
  assert.equal(await errorsOf(stripped), []);
  await refuses(restoreWeights(stripped, of('1, 2, 4')), 'no weights "w" with the expected contents');
  assert.equal(graphOf(await restoreWeights(stripped, of('1, 2, 3'))).initializer, graphOf(of('1, 2, 3')).initializer);
});

test.run();
