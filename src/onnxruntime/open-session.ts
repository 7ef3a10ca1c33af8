import type { StepTiming } from '../backends/step-timing.js';
import type { SardonyxError } from '../base/errors.js';
import { warnOnce } from '../base/warn-once.js';
import { WorkerSession } from '../remote/worker/worker-session.js';
import { InferenceSession } from '../session/inference-session.js';
import type { SessionOptions } from '../session/options.js';
import { env } from './env.js';

/** The steps timed since profiling started; a promise if the session runs in a worker. */
export type Profile = readonly StepTiming[] | Promise<readonly StepTiming[]>;

/** The parts of a session that a handler needs, in this thread or a worker. */
export type OpenedSession = { readonly profile: Profile } & Pick<
  InferenceSession,
  'inputMetadata' | 'outputMetadata' | 'outputNames' | 'run' | 'release' | 'startProfiling' | 'endProfiling'
>;

/** Opens a session in this thread, or with `env.wasm.proxy` in a worker, if one can be started. */
export const openSession = (source: string | Uint8Array, options: SessionOptions): Promise<OpenedSession> =>
  env.wasm.proxy
    ? WorkerSession.create(source, options).catch((error: SardonyxError) => {
        if (error.code !== 'WORKER_FAILED') throw error;
        warnOnce(`${error.message}; the session runs without one`);
        return InferenceSession.create(source, options);
      })
    : InferenceSession.create(source, options);
