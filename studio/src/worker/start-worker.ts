import type { Role } from './worker.js';

/** A worker of its own for one role. */
export const startWorker = (role: Role): Worker =>
  new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: role });
