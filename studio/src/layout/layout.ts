import { type Remote, wrap } from 'comlink';
import type { LayoutService } from '../graph/picture.js';

export const layout: Remote<LayoutService> = wrap<LayoutService>(
  new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module', name: 'layout' }),
);
