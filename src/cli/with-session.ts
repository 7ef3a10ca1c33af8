import { InferenceSession } from '../session/inference-session.js';
import type { SessionOptions } from '../session/options.js';

export async function timed<T>(work: () => Promise<T>): Promise<[milliseconds: number, result: T]> {
  const started = performance.now();
  const result = await work();
  return [performance.now() - started, result];
}

/** Creates a session, times that, and releases it after use. */
export async function withSession<T>(
  source: string | Uint8Array,
  options: SessionOptions,
  use: (session: InferenceSession, milliseconds: number) => Promise<T>,
): Promise<T> {
  const [create, session] = await timed(() => InferenceSession.create(source, options));
  try {
    return await use(session, create);
  } finally {
    await session.release();
  }
}
