import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelOf } from '../../../src/tools/model-of.js';
import { isAtLeast, sampled } from '../../tier.js';
import { backendModels } from '../check/models.js';
import { opsetOf, outcomeOf, targetsOf } from './round-trip.js';

// SARDONYX_CONVERT=1 converts all of them, in some ten minutes; left out, every 17th.
const STRIDE = Number(process.env.SARDONYX_CONVERT ?? 17);

const test = sampled(suite("conversion of ONNX's backend models"), { quick: 1 / 8, ci: 3 / 8 });

/** Of the opsets to go to before tier all: what is spelt out in many operators has one at every change of one of them. */
const MOST_TARGETS = 4;

const paths = backendModels();
const chosen = paths.filter((_, i) => i % STRIDE === 0);
const counts: Record<string, number> = {};

for (const path of chosen)
  test(path.split('/').slice(-3, -1).join('/'), async () => {
    const model = modelOf(readFileSync(path));
    const targets = targetsOf(model);
    const stride = isAtLeast('all') ? 1 : Math.ceil(targets.length / MOST_TARGETS);
    for (const target of targets.filter((_, i) => i % stride === 0)) {
      const outcome = await outcomeOf(model, path, target);
      assert.is(outcome.kind === 'wrong' ? outcome.what : undefined, undefined, `opset ${target}`);
      const way = `${target > opsetOf(model) ? 'up' : 'down'} ${outcome.kind}`;
      counts[way] = (counts[way] ?? 0) + 1;
    }
  });

test('most go where they are sent, and none upwards is refused', () => {
  assert.is(counts['up refused'], undefined);
  assert.ok((counts['down same'] ?? 0) > (counts['down refused'] ?? 0), JSON.stringify(counts));
});

test.run();
