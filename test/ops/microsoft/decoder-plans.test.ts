import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadGroups } from '../../../src/groups/load-groups.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { runInTurn } from '../../contrib/model-runs.js';
import { models } from '../../contrib/models/decoder.js';
import { outputsOf, runnerOf } from '../../plan/runners.js';

const test = suite('plans of decoders');

for (const model of models)
  test(`${model.name}: planned for the prompt and for a token, and then only revised`, async () => {
    await loadGroups();
    const { runner } = await runnerOf(model.bytes());
    const kinds: string[] = [];
    await runInTurn(model, async (feeds) => {
      const inputs = runner.graph.inputs.map(({ name }) => feeds[name] as TensorValue);
      const results = outputsOf(runner, inputs);
      kinds.push(runner.lastStages.map(({ origin }) => origin.kind).join(', '));
      return results as Record<string, TensorValue>;
    });
    assert.equal(kinds.slice(0, 2), ['planned', 'planned']);
    assert.equal(new Set(kinds.slice(2)), new Set(['revised']));
    runner.release();
  });

test.run();
