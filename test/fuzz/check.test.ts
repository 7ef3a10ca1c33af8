import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { beyond, byTier } from '../tier.js';
import { checkDamaged } from './check/trials.js';

/** No damaged model makes the checker throw, hang or overflow the stack. `npm run fuzz:check` tries more of them. */
const test = suite('damaged models, checked');

const SEED = 20260202;
const COUNTS = { quick: 500, ci: 1500, all: 30_000 };
const FROM = beyond ? COUNTS[beyond] : 0;
const TO = byTier(COUNTS);

test(`${TO - FROM} of them: issues with a place, nothing else`, async () => {
  const { counts, findings } = await checkDamaged({ seed: SEED, from: FROM, to: TO, fullEvery: 10 });
  assert.equal(findings, [], `npm run fuzz:check -- --seed ${SEED} --from TRIAL --count 1`);
  // Damage that never matters, or that nothing survives, would find nothing.
  assert.ok((counts.get('valid') ?? 0) > 0 && counts.size > 10, JSON.stringify([...counts]));
});

test.run();
