import { type Remote, transfer, wrap } from 'comlink';
import { documents } from '../documents/documents.js';
import { startWorker } from '../worker/start-worker.js';
import type { FindService, Search } from './service.js';

/** A search that takes longer is one that never ends: a regular expression that tries too much. */
const LONGEST = 2000;

interface Finder {
  readonly worker: Worker;
  readonly service: Remote<FindService>;
  readonly ready: Promise<void>;
}

const finders = new Map<number, Finder>();

function start(id: number): Finder {
  const worker = startWorker('find');
  const service = wrap<FindService>(worker);
  const { port1, port2 } = new MessageChannel();
  const connected = documents.connect(transfer(port1, [port1]));
  const ready = connected.then(() => service.open(id, transfer(port2, [port2])));
  return { worker, service, ready };
}

/** The searcher of a document; those of others end. */
export function finderOf(id: number): Finder {
  for (const [other, { worker }] of finders) {
    if (other === id) continue;
    worker.terminate();
    finders.delete(other);
  }
  const finder = finders.get(id) ?? start(id);
  finders.set(id, finder);
  return finder;
}

/** Forgets what a document was: the next search reads it anew. */
export function forgetFinder(id: number): void {
  finders.get(id)?.worker.terminate();
  finders.delete(id);
}

/** How much is found. A search that does not end is ended, with its worker. */
export async function search(id: number, wanted: Search): Promise<number> {
  const { service, ready } = finderOf(id);
  await ready;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      forgetFinder(id);
      reject(new Error('This expression tries too much: it was ended after two seconds.'));
    }, LONGEST);
  });
  return Promise.race([service.search(wanted), late]).finally(() => clearTimeout(timer));
}
