import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { byTier } from '../tier.js';
import { KINDS, type Kind } from './files/trial.js';
import { tryAll } from './files/watch.js';

/**
 * Damaged files, external data and feeds: each ends in a typed error or a result, soon, and the next good run gives what the
 * last one gave. `npm run fuzz:files` tries more of them.
 */
const test = suite('damaged files and feeds');

const SEED = 20260101;
const MAX_MEGABYTES = 1024;
const COUNTS = byTier<Readonly<Record<Kind, number>>>({
  quick: { files: 100, external: 40, feeds: 60 },
  ci: { files: 400, external: 80, feeds: 150 },
  all: { files: 20_000, external: 2000, feeds: 8000 },
});

for (const only of KINDS)
  test(`${only}, ${COUNTS[only]} of them`, async () => {
    const { trials, findings, megabytes, counts } = await tryAll({
      seed: SEED,
      only,
      from: 0,
      to: COUNTS[only],
    });
    const again = (trial: number) => `npm run fuzz:files -- --seed ${SEED} --trial ${trial} --only ${only}`;
    assert.equal(
      findings.map(({ trial, problem }) => `${problem} (${again(trial)})`),
      [],
    );
    assert.is(trials, COUNTS[only]);
    assert.ok(megabytes <= MAX_MEGABYTES, `${megabytes} MB`);
    // Damage that never matters, or that nothing survives, would find nothing.
    assert.ok((counts.get('result') ?? 0) > 0 && counts.size > 3, JSON.stringify([...counts]));
  });

test.run();
