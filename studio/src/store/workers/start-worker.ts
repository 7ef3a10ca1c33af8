import type { Role } from '../../workers/contracts/role.js';
import { report } from '../notices.js';

/** A worker of its own for one role. One that fails answers nothing any more, which people are told: who waits for it can only cancel. */
export function startWorker(role: Role): Worker {
  const worker = new Worker(new URL('../../workers/worker.ts', import.meta.url), { type: 'module', name: role });
  worker.addEventListener('error', ({ message }) => {
    const why = message || 'its script failed to load';
    report('Part of the page stopped working', `${role}: ${why}. Reload the page to restart it.`);
  });
  return worker;
}
