import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Model, quantizeWeights, type WeightMethod } from '../../../src/tools/index.js';
import { isAtLeast } from '../../tier.js';
import { scoreOf, witnessed } from './judge.js';
import type { Name } from './witness.js';

const test = suite('trained models');

const NAMES: readonly Name[] = ['glyphs', 'finder', 'passages', 'letters'];

for (const name of NAMES)
  test(`${name} does as well as torch says`, async () => {
    const { witness } = await witnessed(name);
    const [expected] = Object.values(witness.scores);
    const found = await scoreOf(name, witness.model);
    assert.ok(Math.abs(found - (expected as number)) < 2e-3, `${found} for ${expected}`);
  });

/** What a model's perplexity has more than the letters', as a share. */
async function perplexityAdded(model: Model): Promise<number> {
  const { witness } = await witnessed('letters');
  return Math.exp((await scoreOf('letters', model)) - (witness.scores.nats as number)) - 1;
}

test('letters: weights of 8 bits add at most 0.5 % to perplexity', async () => {
  const { witness } = await witnessed('letters');
  const added = await perplexityAdded(await quantizeWeights(witness.model, { bits: 8 }));
  assert.ok(added < 0.005, `${added}`);
});

for (const block of isAtLeast('all') ? [16, 32] : [32])
  test(`letters: GPTQ loses at most half of what rounding to 4 bits loses, by blocks of ${block}`, async () => {
    const { witness, feeds } = await witnessed('letters');
    const added = async (method: WeightMethod) =>
      perplexityAdded(await quantizeWeights(witness.model, { bits: 4, block, method, feeds }));
    const [gptq, rounding] = [await added('gptq'), await added('rtn')];
    assert.ok(rounding > 0.01, `rounding adds only ${rounding}`);
    assert.ok(gptq <= rounding / 2, `${gptq} of ${rounding}`);
  });

test.run();
