import type { StepTiming } from '../execute/profile.js';
import { InferenceSession } from '../session/inference-session.js';
import type { SessionOptions } from '../session/options.js';

/** The steps timed since profiling began; a promise where the session runs elsewhere. */
export type Profile = readonly StepTiming[] | Promise<readonly StepTiming[]>;

/** What a handler needs of a session, wherever that runs. */
export type OpenedSession = { readonly profile: Profile } & Pick<
  InferenceSession,
  'inputMetadata' | 'outputMetadata' | 'outputNames' | 'run' | 'release' | 'startProfiling' | 'endProfiling'
>;

export const openSession = (source: string | Uint8Array, options: SessionOptions): Promise<OpenedSession> =>
  InferenceSession.create(source, options);
