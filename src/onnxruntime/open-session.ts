import { InferenceSession } from '../session/inference-session.js';
import type { SessionOptions } from '../session/options.js';

/** What a handler needs of a session, wherever that runs. */
export type OpenedSession = Pick<
  InferenceSession,
  'inputMetadata' | 'outputMetadata' | 'outputNames' | 'run' | 'release' | 'startProfiling' | 'endProfiling'
>;

export const openSession = (source: string | Uint8Array, options: SessionOptions): Promise<OpenedSession> =>
  InferenceSession.create(source, options);
