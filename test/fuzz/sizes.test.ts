import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { byTier } from '../tier.js';
import { type SizesReport, trySizes } from './sizes/campaign.js';

/** `npm run fuzz:sizes` tries more of them. */
const test = suite('random models at moving sizes');

const GRAPHS = byTier({ quick: 20, ci: 80, all: 3000 });
const SEED = Number(process.env.SEED ?? 20_261_128);

test(`${GRAPHS} models give what plans of their own give`, async () => {
  const report: SizesReport = { runs: 0, moved: 0, wrong: [] };
  for (let seed = SEED; seed < SEED + GRAPHS; seed++) await trySizes(seed, report);
  assert.is(report.wrong.join('\n'), '');
  assert.ok(report.moved > report.runs / 5, `${report.moved} of ${report.runs} runs by moved plans`);
});

test.run();
