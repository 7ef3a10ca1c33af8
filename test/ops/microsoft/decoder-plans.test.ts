import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Stage } from '../../../src/backends/wasm/plan/stage.js';
import { loadGroups } from '../../../src/groups/load-groups.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { runInTurn } from '../../contrib/model-runs.js';
import { models } from '../../contrib/models/decoder.js';
import { outputsOf, runnerOf } from '../../plan/runners.js';

const test = suite('plans of decoders');

for (const model of models)
  test(`${model.name}: planned for the prompt and for a token, and then only moved`, async () => {
    await loadGroups();
    const { runner } = await runnerOf(model.bytes());
    const stages: (Stage | undefined)[] = [];
    await runInTurn(model, async (feeds) => {
      const inputs = runner.graph.inputs.map(({ name }) => feeds[name] as TensorValue);
      const results = outputsOf(runner, inputs);
      stages.push(runner.lastStages[0]);
      return results as Record<string, TensorValue>;
    });
    const [, token, ...later] = stages;
    assert.equal(new Set(later), new Set([token]));
    runner.release();
  });

test.run();
