import type { Role } from '../../workers/contracts/role.js';
import { report } from '../notices.js';

/** Starts a worker for one role. A worker that fails never answers again: the page reports it, and pending calls can only be canceled. */
export function startWorker(role: Role): Worker {
  const worker = new Worker(new URL('../../workers/worker.ts', import.meta.url), { type: 'module', name: role });
  worker.addEventListener('error', ({ message }) => {
    const why = message || 'its script failed to load';
    report('Part of the page stopped working', `${role}: ${why}. Reload the page to restart it.`);
  });
  return worker;
}
