import { onDemand } from '../../../base/on-demand.js';
import type { LazyTracing } from './context.js';

/** Loads the functions that trace stages. If that fails, as in service workers, every shape is planned from the graph. */
export async function loadTracing(tracing: LazyTracing): Promise<void> {
  tracing.isWanted = false;
  tracing.functions = await onDemand('tracing', () => import('./tracing.js')).catch(() => ({}));
}
