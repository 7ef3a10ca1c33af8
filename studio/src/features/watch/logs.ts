import { type Remote, wrap } from 'comlink';
import { startWorker } from '../../store/workers/start-worker.js';
import type { LogsService } from '../../workers/contracts/logs.js';

/** The worker for logs. */
export const logs: Remote<LogsService> = wrap<LogsService>(startWorker('logs'));
