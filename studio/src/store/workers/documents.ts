import { type Remote, wrap } from 'comlink';
import type { DocumentsService } from '../../workers/contracts/documents.js';
import { startWorker } from './start-worker.js';

/** The documents' worker. It starts as the page's script does: models are parsed while nobody waits. */
export const documents: Remote<DocumentsService> = wrap<DocumentsService>(startWorker('documents'));
