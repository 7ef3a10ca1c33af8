import type { Role } from './contracts/role.js';

/** What a worker does, by its name. All have one script, so that bundles share what several of them import: five copies of the runtime were 4 MB. */
const ROLES: Readonly<Record<Role, () => Promise<unknown>>> = {
  compare: () => import('./compare/compare.worker.js'),
  documents: () => import('./documents/documents.worker.js'),
  find: () => import('./find/find.worker.js'),
  layout: () => import('./layout.worker.js'),
  logs: () => import('./logs/logs.worker.js'),
  'onnxruntime-web': () => import('./peer.worker.js'),
  quantize: () => import('./quantize/quantize.worker.js'),
  runs: () => import('./runs/runs.worker.js'),
  verify: () => import('./verify/verify.worker.js'),
};

/** What comes before the role is there is heard once it is. */
const early: MessageEvent[] = [];
const keep = (event: MessageEvent): void => void early.push(event);

async function begin(role: Role): Promise<void> {
  addEventListener('message', keep);
  await ROLES[role]();
  removeEventListener('message', keep);
  for (const { data, ports } of early) dispatchEvent(new MessageEvent('message', { data, ports: [...ports] }));
}

// Uncaught, the page hears of it.
begin(self.name as Role).catch((error) => reportError(error));
