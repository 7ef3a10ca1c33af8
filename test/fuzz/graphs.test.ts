import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { beyond, byTier } from '../tier.js';
import { campaign, fuzz } from './graphs/campaign.js';

/** `npm run fuzz:graphs` tries more of them. */
const test = suite('random models in every mode');

const COUNTS = { quick: 40, ci: 80, all: 4000 };
const BATCH = 20;
const SEED = Number(process.env.SEED ?? 20_261_122);
const END = SEED + byTier(COUNTS);
const totals = campaign();

for (let first = SEED + (beyond ? COUNTS[beyond] : 0); first < END; first += BATCH)
  test(`seeds ${first} to ${first + BATCH - 1}`, async () => {
    const before = totals.found.length;
    await fuzz(
      Array.from({ length: BATCH }, (_, i) => first + i),
      totals,
    );
    assert.is(totals.found.slice(before).join('\n\n'), '');
  });

test.after(() => {
  console.log(`${totals.graphs} graphs of ${totals.nodes} nodes and ${totals.operators.size} operators`);
});

test.run();
