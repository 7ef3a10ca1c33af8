import type { OptimizationLevel } from '../../src/index.js';
import type { RewriteLog } from '../../src/optimize/rewrite-log.js';
import { assertClose, type Feeds, open, type Results } from '../session/run-model.js';

const LEVELS: readonly OptimizationLevel[] = ['basic', 'extended', 'layout', 'all'];
/** Runs the model as it stands, at each level and with every number of rewrites; all must give the same. */
export async function agreeing(
  model: Uint8Array,
  feeds: Feeds,
  tolerance = 2e-5,
): Promise<{ rewrites: RewriteLog; results: Results }> {
  const raw = await open(model, { graphOptimizationLevel: 'disabled' });
  const expected = await raw.run(feeds);
  for (const level of LEVELS) {
    const session = await open(model, { graphOptimizationLevel: level });
    assertClose(await session.run(feeds), expected, tolerance, level);
  }
  const { rewrites } = await open(model, { explainRewrites: true });
  for (let n = 0; n < rewrites.applied.length; n++) {
    const session = await open(model, { maxRewrites: n });
    assertClose(
      await session.run(feeds),
      expected,
      tolerance,
      `after ${n} rewrites, before ${rewrites.applied[n]?.rule}`,
    );
  }
  return { rewrites, results: expected };
}
