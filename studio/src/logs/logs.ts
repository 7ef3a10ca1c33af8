import { type Remote, wrap } from 'comlink';
import { startWorker } from '../worker/start-worker.js';
import type { LogsService } from './service.js';

/** The logs' worker. */
export const logs: Remote<LogsService> = wrap<LogsService>(startWorker('logs'));
