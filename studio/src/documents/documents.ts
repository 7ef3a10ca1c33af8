import { type Remote, wrap } from 'comlink';
import { startWorker } from '../worker/start-worker.js';
import type { DocumentsService } from './service.js';

/** The documents' worker. It starts as the page's script does: models are parsed while nobody waits. */
export const documents: Remote<DocumentsService> = wrap<DocumentsService>(startWorker('documents'));
