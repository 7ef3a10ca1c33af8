import { type Remote, wrap } from 'comlink';
import type { LayoutService } from '../../graph/picture.js';
import { startWorker } from './start-worker.js';

export const layout: Remote<LayoutService> = wrap<LayoutService>(startWorker('layout'));
