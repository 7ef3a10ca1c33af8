import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { floats, ints, modelBuilder, strings, tensor } from '../../../src/builder/index.js';
import { convertVersion, loadModel, saveModel } from '../../../src/tools/index.js';
import { hasNative, run, runNatively, type Values } from '../../toolkit/quantize/runs.js';

const test = suite('TreeEnsembleClassifier of two classes');

const FEEDS: Values = { x: tensor('float32', [3, 1], [-1, 0.5, 3]) };
const TREES = [0, 1];

/** Two stumps, at 0 and at 1, all of whose votes are for one class: 0.3 on the left, `right` on the right. */
function classifier(voted: 0 | 1, right: number, transform: string): Uint8Array {
  const b = modelBuilder({ opset: 15, opsets: { 'ai.onnx.ml': 3 } });
  const each = <T>(...items: T[]): T[] => TREES.flatMap(() => items);
  const attributes = {
    nodes_treeids: ints(TREES.flatMap((tree) => [tree, tree, tree])),
    nodes_nodeids: ints(each(0, 1, 2)),
    nodes_featureids: ints(each(0, 0, 0)),
    nodes_modes: strings(each('BRANCH_LEQ', 'LEAF', 'LEAF')),
    nodes_values: floats(TREES.flatMap((tree) => [tree, 0, 0])),
    nodes_truenodeids: ints(each(1, 0, 0)),
    nodes_falsenodeids: ints(each(2, 0, 0)),
    class_treeids: ints(TREES.flatMap((tree) => [tree, tree])),
    class_nodeids: ints(each(1, 2)),
    class_ids: ints(each(voted, voted)),
    class_weights: floats(each(0.3, right)),
    classlabels_int64s: ints([0, 1]),
    post_transform: transform,
  };
  const options = { domain: 'ai.onnx.ml', outputs: 2 } as const;
  const [label, scores] = b.node('TreeEnsembleClassifier', [b.input('x', 'float32', [3, 1])], attributes, options);
  b.output('label', label, 'int64', [3]);
  b.output('scores', scores, 'float32', [3, 2]);
  return b.toBytes();
}

const listed = ({ label, scores }: Values) => ({
  label: Array.from(label?.data as BigInt64Array, Number),
  scores: Array.from(scores?.data as Float32Array, (score) => Number(score.toFixed(5))),
});

test('votes for the first are the score of the second; votes for the second leave the first 0', async () => {
  assert.equal(listed(await run(classifier(0, 0.4, 'NONE'), FEEDS)).scores, [0.4, 0.6, 0.3, 0.7, 0.2, 0.8]);
  assert.equal(listed(await run(classifier(1, 0.4, 'NONE'), FEEDS)).scores, [0, 0.6, 0, 0.7, 0, 0.8]);
  assert.equal(listed(await run(classifier(1, -0.4, 'NONE'), FEEDS)), {
    label: [1, 0, 0],
    scores: [0, 0.6, 0, -0.1, 0, -0.8],
  });
});

for (const voted of [0, 1] as const)
  for (const right of [0.4, 0.1, -0.4])
    for (const transform of ['NONE', 'LOGISTIC', 'SOFTMAX'])
      test(`votes for ${voted}, 0.3 or ${right}, ${transform}: as onnxruntime, and as TreeEnsemble`, async () => {
        const bytes = classifier(voted, right, transform);
        const found = listed(await run(bytes, FEEDS));
        const newer = await saveModel(await convertVersion(await loadModel(bytes), 5, { domain: 'ai.onnx.ml' }));
        assert.equal(listed(await run(newer, FEEDS)), found);
        if (hasNative) assert.equal(found, listed(await runNatively(bytes, FEEDS)));
      });

test.run();
