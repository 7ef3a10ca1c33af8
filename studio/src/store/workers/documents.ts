import { type Remote, wrap } from 'comlink';
import type { DocumentsService } from '../../workers/contracts/documents.js';
import { startWorker } from './start-worker.js';

/** The worker for documents. It starts with the page's script, so that it is ready when a model is opened. */
export const documents: Remote<DocumentsService> = wrap<DocumentsService>(startWorker('documents'));
