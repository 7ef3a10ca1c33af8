import { SardonyxError } from '../base/errors.js';
import { definitions, backend as sardonyx } from './backend.js';
import type { Backend } from './backend-types.js';
import type { SessionTypes } from './session-types.js';

interface Registration {
  readonly backend: Backend;
  readonly priority: number;
  /** The reason why the backend cannot be used, once known; undefined if it can. */
  readonly obstacle?: Promise<string | undefined>;
}

const registered = new Map<string, Registration>([
  ['wasm', { backend: sardonyx, priority: 10 }],
  ['cpu', { backend: sardonyx, priority: 10 }],
  ['reference', { backend: definitions, priority: -1 }],
]);

/** Adds an execution provider. With a priority below 0, it is used only if requested by name. */
export function registerBackend(name: string, backend: Backend, priority = 0): void {
  if (typeof backend?.init !== 'function' || typeof backend.createInferenceSessionHandler !== 'function')
    throw new SardonyxError('INVALID_ARGUMENT', 'a backend has the methods init and createInferenceSessionHandler');
  const known = registered.get(name);
  if (known && known.priority > priority) return;
  if (known?.priority === priority && known.backend !== backend)
    throw new SardonyxError('INVALID_ARGUMENT', `there is another backend "${name}" of the priority ${priority}`);
  if (known?.backend !== backend) registered.set(name, { backend, priority });
}

/** Providers of onnxruntime-web that fall back to its CPU provider for unsupported nodes: here, for all. */
const ACCELERATORS: ReadonlySet<string> = new Set(['webgpu', 'webnn', 'webgl']);

/** The first usable backend among the requested ones, or among all by priority. The others are reported. */
export async function resolveBackend(providers: SessionTypes.SessionOptions['executionProviders']): Promise<Backend> {
  const asked = (providers ?? []).map((provider) => (typeof provider === 'string' ? provider : provider.name));
  const obstacles: string[] = [];
  let used: string | undefined;
  for (const name of asked.length ? asked : byPriority()) {
    const obstacle = await obstacleTo(name);
    if (obstacle === undefined) used ??= name;
    else obstacles.push(`"${name}" ${obstacle}`);
  }
  if (asked.some((name) => ACCELERATORS.has(name))) used ??= 'wasm';
  if (used === undefined)
    throw new SardonyxError(
      'INVALID_ARGUMENT',
      `no execution provider is available: ${obstacles.join('; ')}; use one of ${byPriority().join(', ')}`,
    );
  if (asked.length)
    for (const obstacle of obstacles) console.warn(`sardonyx: execution provider ${obstacle}; using "${used}"`);
  return registered.get(used)?.backend as Backend;
}

const byPriority = () =>
  [...registered]
    .filter(([, { priority }]) => priority >= 0)
    .sort(([, a], [, b]) => b.priority - a.priority)
    .map(([name]) => name);

async function obstacleTo(name: string): Promise<string | undefined> {
  const registration = registered.get(name);
  if (!registration) return 'is not supported';
  if (registration.obstacle) return registration.obstacle;
  const obstacle = registration.backend.init(name).then(
    () => undefined,
    (error) => `cannot start: ${error?.message ?? error}`,
  );
  registered.set(name, { ...registration, obstacle });
  return obstacle;
}
