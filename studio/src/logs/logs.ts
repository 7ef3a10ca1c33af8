import { type Remote, wrap } from 'comlink';
import type { LogsService } from './service.js';

/** The logs' worker. */
export const logs: Remote<LogsService> = wrap<LogsService>(
  new Worker(new URL('./logs.worker.ts', import.meta.url), { type: 'module', name: 'logs' }),
);
