import { pathToFileURL } from 'node:url';
import { InferenceSession } from '../../session/inference-session.js';
import { env } from '../../session/options.js';
import { Tensor } from '../../tensor/tensor.js';
import type { HostValue } from '../../tensor/tensor-value.js';
import {
  type ConformanceRuntime,
  type ConformanceSession,
  hostValueOf,
  valueFor,
} from '../../tools/conformance/runtime.js';
import type { Request, SentError, SessionsTask } from './sessions-task.js';

/** Creates and runs sessions, one at a time, for the parent process until it disconnects. */
export async function serveSessions({ sessionsOf }: SessionsTask): Promise<void> {
  const runtime = loaded(sessionsOf);
  let session: ConformanceSession | undefined;
  const answer = async (request: Request): Promise<object> => {
    const { InferenceSession } = await runtime;
    if (request.call === 'create') session = await InferenceSession.create(request.model, request.options);
    if (request.call === 'release') await session?.release();
    return request.call === 'run' && session ? results(await runtime, session, request.feeds) : {};
  };
  const reply = async (values: Promise<object>) =>
    process.send?.(
      await values.then(
        (values) => ({ values }),
        (error) => ({ error: sent(error) }),
      ),
    );
  process.on('message', (request: Request) => reply(answer(request)));
  await reply(runtime.then(() => ({})));
}

async function loaded(entry: string | null): Promise<ConformanceRuntime> {
  if (entry === null) {
    env.wasm.numThreads = 1;
    return { InferenceSession, Tensor };
  }
  const module = await import(pathToFileURL(entry).href);
  const runtime: ConformanceRuntime | undefined = module.InferenceSession ? module : module.default;
  if (!runtime?.InferenceSession || !runtime.Tensor)
    throw new Error(`${entry} does not export InferenceSession and Tensor`);
  const { wasm } = (runtime.env ?? {}) as { wasm?: { numThreads?: number } };
  if (wasm) wasm.numThreads = 1;
  return runtime;
}

async function results(runtime: ConformanceRuntime, session: ConformanceSession, feeds: object) {
  const given = Object.entries(feeds).map(([name, value]) => [name, valueFor(runtime, value as HostValue)]);
  const found = Object.entries((await session.run(Object.fromEntries(given) as never)) as object);
  const values = found.map(async ([name, value]) => [name, await hostValueOf(value)] as const);
  return Object.fromEntries(await Promise.all(values));
}

const sent = (error: Partial<SentError>): SentError => ({
  name: String(error?.name ?? ''),
  message: String(error?.message ?? error),
  code: typeof error?.code === 'object' ? null : error?.code,
});
