import { verifyGraph } from '../../../src/graph/verify.js';
import { watchGraphs } from '../../../src/graph/watch-graphs.js';
import { loadGroups } from '../../../src/groups/load-groups.js';
import { campaign, findings } from '../graphs/campaign.js';

/** Answers batches of seeds with the first finding among them, for `run.ts`. A refusal is none: it says what it is. */
await loadGroups();
watchGraphs(verifyGraph);
process.on('message', async (seeds: readonly number[]) => {
  for await (const { seed, finding } of findings(seeds, campaign())) {
    const { kind, mode, message } = finding;
    if (kind !== 'refused') return process.send?.({ seed, kind, mode: mode.name, message });
  }
  return process.send?.(null);
});
