import { type Remote, wrap } from 'comlink';
import type { DocumentsService } from './service.js';

/** The documents' worker. It starts as the page's script does: models are parsed while nobody waits. */
export const documents: Remote<DocumentsService> = wrap<DocumentsService>(
  new Worker(new URL('./documents.worker.ts', import.meta.url), { type: 'module', name: 'documents' }),
);
