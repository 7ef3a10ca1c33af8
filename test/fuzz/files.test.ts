import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { byTier } from '../tier.js';
import type { Kind } from './files/trial.js';
import { tryAll } from './files/watch.js';

/**
 * Damaged files, external data and feeds: each ends in a typed error or a result, soon, and the next good run gives what the
 * last one gave. `npm run fuzz:files` tries more of them.
 */
const test = suite('damaged files and feeds');

const SEED = 20260101;
const MAX_MEGABYTES = 1024;
/** Trials of all kinds, or of one; the process of each campaign takes as long to start as 200 trials. */
const CAMPAIGNS = byTier<readonly { readonly only?: Kind; readonly to: number }[]>({
  quick: [{ to: 200 }],
  ci: [{ to: 400 }],
  all: [
    { only: 'files', to: 20_000 },
    { only: 'external', to: 2000 },
    { only: 'feeds', to: 8000 },
  ],
});

for (const campaign of CAMPAIGNS) {
  const { only, to } = campaign;
  test(`${only ?? 'all kinds'}, ${to} of them`, async () => {
    const { trials, findings, megabytes, counts } = await tryAll({ seed: SEED, from: 0, ...campaign });
    const again = (trial: number) =>
      `npm run fuzz:files -- --seed ${SEED} --trial ${trial}${only ? ` --only ${only}` : ''}`;
    assert.equal(
      findings.map(({ trial, problem }) => `${problem} (${again(trial)})`),
      [],
    );
    assert.is(trials, to);
    assert.ok(megabytes <= MAX_MEGABYTES, `${megabytes} MB`);
    // Damage that never matters, or that nothing survives, would find nothing.
    assert.ok((counts.get('result') ?? 0) > 0 && counts.size > 3, JSON.stringify([...counts]));
  });
}

test.run();
