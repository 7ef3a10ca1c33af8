import { verifyGraph } from '../../../src/graph/verify.js';
import { watchGraphs } from '../../../src/graph/watch-graphs.js';
import { loadGroups } from '../../../src/groups/load-groups.js';
import { campaign, fuzz } from './campaign.js';

/** Runs batches of seeds for `run.ts`. */
await loadGroups();
watchGraphs(verifyGraph);
process.on('message', async ({ first, count }: { first: number; count: number }) => {
  const totals = campaign();
  await fuzz(
    Array.from({ length: count }, (_, i) => first + i),
    totals,
  );
  process.send?.({ ...totals, operators: [...totals.operators] });
});
