import { env, InferenceSession } from 'sardonyx';
import type { ModelFiles } from '../contracts/documents.js';
import type { OpenedSession } from '../contracts/runs.js';
import type { Settings } from '../contracts/settings.js';

export interface Held {
  readonly session: InferenceSession;
  readonly settings: Settings;
  readonly milliseconds: number;
}

const sessions = new Map<number, Held>();
/** Starts at the current time, so that IDs differ between workers. */
let lastId = Date.now();
/** The variant is a global setting, so sessions are created one at a time. */
let creating: Promise<unknown> = Promise.resolve();

export interface Opening {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((part: number) => void) | undefined;
}

/** Creates a session from model files. */
export function create(files: ModelFiles, settings: Settings, { signal, onProgress }: Opening = {}): Promise<Held> {
  const made = creating.then(async () => {
    env.wasm.variant = settings.variant;
    const started = performance.now();
    const session = await InferenceSession.create(files.model, {
      externalData: files.beside,
      graphOptimizationLevel: settings.level,
      intraOpNumThreads: settings.threads,
      ...(signal && { signal }),
      ...(onProgress && { onProgress: ({ loaded, total }) => onProgress(total ? loaded / total : 0) }),
    });
    return { session, settings, milliseconds: performance.now() - started };
  });
  creating = made.catch(() => {});
  return made;
}

export function hold(held: Held): OpenedSession {
  const id = ++lastId;
  sessions.set(id, held);
  const { session, settings, milliseconds } = held;
  return {
    id,
    settings,
    milliseconds,
    inputs: session.inputMetadata,
    outputs: session.outputMetadata,
    rewrites: session.rewrites.applied.map(({ rule, node }) => ({ rule, node })),
  };
}

/** @throws Error if it has been closed */
export function find(id: number): Held {
  const found = sessions.get(id);
  if (!found) throw new Error(`the session ${id} is closed`);
  return found;
}

export async function release(id: number): Promise<void> {
  const held = sessions.get(id);
  sessions.delete(id);
  await held?.session.release();
}

export const heldSessions = (): number => sessions.size;
