import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TrainingInfoProto } from '../../../build/onnx.js';
import { withChanges } from '../../../src/model/document/changed.js';
import type { Model } from '../../../src/model/document/model.js';
import { fromExternalData, toExternalData } from '../../../src/tools/external-data.js';
import { withProto } from '../../../src/tools/model-of.js';
import {
  addPrefix,
  cleanUp,
  deduplicateWeights,
  edit,
  mergeModels,
  renameValues,
} from '../../../src/tools/surgery/index.js';
import { isExternal, locationOf } from '../../../src/tools/tensor-data.js';
import { parseGraph } from '../../../src/tools/text.js';
import { errorsOf, graphOf, model, names } from './models.js';

const test = suite('what belongs to a model besides its graph');

const weighted = (from: string, to: string, numbers: string) =>
  model(`g (float[2] ${from}) => (float[2] ${to}) <float[2] w = {${numbers}}> { ${to} = Mul(${from}, w) }`);

test('external files of two models that have one name stay two files', async () => {
  const options = { location: 'w.data', threshold: 0 };
  const first = await toExternalData(weighted('x', 'y', '1, 2'), options);
  const second = await toExternalData(weighted('a', 'b', '3, 4'), options);
  const merged = mergeModels(first, second, { map: [['y', 'a']] });
  assert.ok(graphOf(merged).initializer.every(isExternal));
  assert.equal(graphOf(merged).initializer.map(locationOf), ['w.data', 'w.data_2']);
  assert.equal([...(merged.pending?.keys() ?? [])], ['w.data', 'w.data_2']);
  assert.equal(await errorsOf(merged), []);
  await edit(await fromExternalData(merged), async (graph) => {
    assert.equal((await graph.value('w')?.tensor())?.data, Float32Array.of(1, 2));
    assert.equal((await graph.value('w_2')?.tensor())?.data, Float32Array.of(3, 4));
  });
});

/** A model that says how w is trained: by t, which nothing else reads. */
function trained(): Model {
  const given = model(
    'g (float[2] x) => (float[2] y) <float[2] w = {1, 2}, float[2] copy = {1, 2}> { t = Neg(x)  u = Mul(x, w)  y = Add(u, copy) }',
  );
  const info = new TrainingInfoProto({
    algorithm: parseGraph('step () => (float[2] next) { s = Add(t, copy)  next = Sub(w, s) }'),
    updateBinding: [{ key: 'w', value: 'next' }],
  });
  return withProto(given, withChanges(given.proto, { trainingInfo: [info] }));
}

const training = ({ proto }: Model) => {
  const [info] = proto.trainingInfo;
  return [info?.algorithm?.node.map(({ input }) => input), info?.updateBinding.map(({ key, value }) => [key, value])];
};

test('training reads and binds values by the names that they have', async () => {
  assert.equal(await errorsOf(trained()), []);
  const expected = (t: string, copy: string, w: string) => [
    [
      [t, copy],
      [w, 's'],
    ],
    [[w, 'next']],
  ];
  const prefixed = addPrefix(trained(), 'p/');
  assert.equal(training(prefixed), expected('p/t', 'p/copy', 'p/w'));
  const renamed = renameValues(trained(), { w: 'weights', t: 'loss' });
  assert.equal(training(renamed), expected('loss', 'copy', 'weights'));
  const edited = await edit(trained(), (graph) => {
    const t = graph.value('t');
    if (t) t.name = 'loss';
  });
  assert.equal(training(edited), expected('loss', 'copy', 'w'));
  const tied = await deduplicateWeights(trained());
  assert.equal(training(tied), expected('t', 'w', 'w'));
  for (const made of [prefixed, renamed, edited, tied]) assert.equal(await errorsOf(made), []);
});

test('what only training reads is no waste', () => {
  assert.equal(names(graphOf(cleanUp(trained())).initializer), ['w', 'copy']);
  assert.equal(
    graphOf(cleanUp(trained())).node.map(({ opType }) => opType),
    ['Neg', 'Mul', 'Add'],
  );
});

test.run();
