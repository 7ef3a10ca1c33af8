import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { InferenceSession, type KeptFile } from '../../src/index.js';
import { createPool } from '../../src/remote/pool/index.js';
import { InferenceSession as WorkerSession } from '../../src/remote/worker/index.js';
import type { HostValue } from '../../src/tensor/tensor-value.js';
import { pick, type Subject } from './subjects.js';

interface Stop {
  readonly signal?: AbortSignal;
}

/** What all kinds of sessions can do. */
export interface Session {
  run(feeds: Readonly<Record<string, HostValue>>, options?: Stop): Promise<Readonly<Record<string, HostValue>>>;
  release(): Promise<void>;
}

type Source = string | URL | Uint8Array | KeptFile;
type Open = (source: Source, stop?: Stop) => Promise<Session>;

export const KINDS: Readonly<Record<string, Open>> = {
  plain: (source, stop) => InferenceSession.create(source, { ...stop, intraOpNumThreads: 1 }),
  threads: (source, stop) => InferenceSession.create(source, { ...stop, intraOpNumThreads: 2 }),
  worker: (source, stop) => WorkerSession.create(source, { ...stop, intraOpNumThreads: 1 }),
  pool: (source, stop) => createPool(source, { ...stop, size: 2 }),
};

/** Kinds of the sessions that stay open, one for each model in turn; others of every kind come and go. */
const RESIDENT = ['plain', 'threads', 'pool'];

type Place = (path: string, address: URL) => Source;

const PLACES: readonly Place[] = [
  (path) => path,
  (path) => pathToFileURL(path),
  (path) => readFileSync(path),
  (_, address) => address,
];

/** A place for one session of one kind and model, which is renewed now and then, and loaded from the same place. */
export interface OpenSession {
  readonly subject: Subject;
  readonly kind: string;
  readonly place: Place;
  readonly label: string;
  session: Session;
}

const sourceAt = (place: Place, { path, name }: Subject, base: string) =>
  place(path, new URL(encodeURIComponent(name), base));

export const open = (kind: string, source: Source, stop?: Stop) => (KINDS[kind] as Open)(source, stop);

/** Opens a session of the subject from anywhere it can come from. */
export const openAnyhow = (subject: Subject, kind: string, base: string, random: () => number, stop?: Stop) =>
  open(kind, sourceAt(pick(PLACES, random), subject, base), stop);

export async function openSessions(subjects: readonly Subject[], base: string): Promise<OpenSession[]> {
  const sessions: OpenSession[] = [];
  for (const [i, subject] of subjects.entries()) {
    const [kind, place] = [RESIDENT[i % RESIDENT.length] as string, PLACES[i % PLACES.length] as Place];
    const about = { subject, kind, place, label: `${kind} ${subject.name}` };
    sessions.push({ ...about, session: await openLargest(about, base) });
  }
  return sessions;
}

/** One that has run its largest case, and so has all the memory that it will have. */
export async function openLargest(
  { subject, kind, place }: Omit<OpenSession, 'session'>,
  base: string,
): Promise<Session> {
  const session = await open(kind, sourceAt(place, subject, base));
  const { feeds } = subject.largest;
  await Promise.all([session.run(feeds), session.run(feeds)]);
  return session;
}
