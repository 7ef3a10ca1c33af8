import { documents } from '../../store/workers/documents.js';
import { layout } from '../../store/workers/layout.js';
import { model } from '../../store/workspace.js';

/** Milliseconds after which browsers stop waiting for the page to be idle. */
const LATEST = 2000;

/**
 * Has the workers read and lay out a small model once the page is idle, so that their code is compiled before it is needed: the first
 * layout then takes two thirds of its thread's time, and half of the processor's.
 */
export function rehearse(): void {
  whenIdle(async () => {
    if (!model.value) await layout.rehearse(await documents.rehearse());
  });
}

/** Safari has no idle callbacks. */
function whenIdle(work: () => Promise<void>): void {
  if ('requestIdleCallback' in window) requestIdleCallback(() => void work(), { timeout: LATEST });
  else setTimeout(work, LATEST);
}
