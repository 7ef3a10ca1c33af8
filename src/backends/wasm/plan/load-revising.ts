import { onDemand } from '../../../base/on-demand.js';
import type { Revising } from './context.js';

/** Loads functions that derive plans. If that fails, as in service workers, every shape is planned from the graph. */
export async function loadRevising(revising: Revising): Promise<void> {
  revising.isWanted = false;
  const module = await onDemand('revising', () => import('./revising.js')).catch(() => null);
  revising.reviseStage = module?.reviseStage ?? null;
  revising.beginMoving = module?.beginMoving;
  revising.explainStage = module?.explainStage;
}
