import { suite } from 'uvu';
import { fromTensorFlowJS } from '../../../src/tools/index.js';
import { assertRuns } from './comparison.js';
import { GRAPH_CASES } from './graph-cases.js';
import { artifactsOf } from './graph-models.js';
import { runGraph, tensorflow } from './tensorflow.js';

const test = suite('graph models of TensorFlow.js');
const witness = tensorflow();

for (const [at, given] of witness ? GRAPH_CASES.entries() : [])
  test(`${at} ${given.name}`, async () => {
    const artifacts = artifactsOf(given);
    const expected = await runGraph(witness as NonNullable<typeof witness>, artifacts, given.feeds, given.outputs);
    const signature = { outputs: Object.fromEntries(given.outputs.map((name) => [name, { name }])) };
    const model = await fromTensorFlowJS({ ...artifacts, signature });
    await assertRuns(
      model,
      given.feeds,
      given.outputs.map((name, i) => [name, expected[i] as never]),
    );
  });

test.run();
