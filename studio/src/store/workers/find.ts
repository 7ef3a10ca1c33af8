import { type Remote, transfer, wrap } from 'comlink';
import type { FindService, Search } from '../../workers/contracts/find.js';
import { documents } from './documents.js';
import { startWorker } from './start-worker.js';

/** Milliseconds after which a search counts as endless, such as a regular expression with too much backtracking. */
const LONGEST = 2000;

interface Finder {
  readonly service: Remote<FindService>;
  readonly ready: Promise<void>;
  /** Rejected once the finder is ended, as its pending requests are never answered. */
  readonly ended: Promise<never>;
  end(reason: string): void;
}

const finders = new Map<number, Finder>();

function start(id: number): Finder {
  const worker = startWorker('find');
  const service = wrap<FindService>(worker);
  const { port1, port2 } = new MessageChannel();
  const connected = documents.connect(transfer(port1, [port1]));
  const ready = connected.then(() => service.open(id, transfer(port2, [port2])));
  let reject: (error: Error) => void;
  const ended = new Promise<never>((_, refuse) => {
    reject = refuse;
  });
  ended.catch(() => {});
  const finder: Finder = {
    service,
    ready,
    ended,
    end(reason) {
      worker.terminate();
      if (finders.get(id) === finder) finders.delete(id);
      reject(new Error(reason));
    },
  };
  return finder;
}

/** The finder of a document; those of other documents are ended. */
export function finderOf(id: number): Finder {
  for (const [other, finder] of finders) if (other !== id) finder.end('The model is closed.');
  const finder = finders.get(id) ?? start(id);
  finders.set(id, finder);
  return finder;
}

/** Discards the finder of a changed document: the next search reads it again. */
export const forgetFinder = (id: number): void => finders.get(id)?.end('The model changed.');

/** The number of matches. An endless search is ended together with its worker. */
export async function search(id: number, wanted: Search): Promise<number> {
  const { service, ready, ended, end } = finderOf(id);
  await Promise.race([ready, ended]);
  const timer = setTimeout(() => end('This expression is too slow. The search stopped after two seconds.'), LONGEST);
  return Promise.race([service.search(wanted), ended]).finally(() => clearTimeout(timer));
}
