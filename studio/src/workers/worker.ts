import type { Role } from './contracts/role.js';

/** Modules by worker name. All workers share one script, so that bundles share common imports: five copies of the runtime were 4 MB. */
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

/** Messages that arrive before the role has loaded; dispatched again once it has. */
const early: MessageEvent[] = [];
const keep = (event: MessageEvent): void => void early.push(event);

async function begin(role: Role): Promise<void> {
  addEventListener('message', keep);
  await ROLES[role]();
  removeEventListener('message', keep);
  for (const { data, ports } of early) dispatchEvent(new MessageEvent('message', { data, ports: [...ports] }));
}

// Reported as uncaught, so that the page gets an error event.
begin(self.name as Role).catch((error) => reportError(error));
