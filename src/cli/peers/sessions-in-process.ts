import type { ChildProcess } from 'node:child_process';
import type { ConformanceRuntime } from '../../tools/conformance/runtime.js';
import type { Io } from '../io.js';
import { PEER_PROCESS } from './child.js';
import type { Reply, Request, SessionsTask } from './sessions-task.js';

/** A runtime in a process of its own. */
export interface RemoteRuntime extends ConformanceRuntime {
  /** Loads the runtime. */
  begin(): Promise<void>;
  end(): void;
}

/**
 * A runtime whose sessions, one at a time, live in another process: native code may crash it, and a run that never ends
 * is killed with it. The next session starts a new process.
 */
export function sessionsInProcess(io: Io, name: string, task: SessionsTask): RemoteRuntime {
  let current: Connection | undefined;
  const end = () => {
    current?.end();
    current = undefined;
  };
  const begin = async () => {
    if (current && !current.isBusy() && !current.hasEnded()) return;
    end();
    current = connect(io, name);
    await current.ask(task);
  };
  const create = async (model: Uint8Array, options?: object) => {
    await begin();
    const { ask, isBusy, hasEnded } = current as Connection;
    await ask({ call: 'create', model, options });
    const release = async () => {
      if (isBusy()) end();
      else if (!hasEnded()) await ask({ call: 'release' });
    };
    return { run: (feeds: never) => ask({ call: 'run', feeds }), release };
  };
  return { InferenceSession: { create }, Tensor: PlainTensor, begin, end };
}

/** A plain tensor, from which the process makes one of the runtime's own. */
class PlainTensor {
  constructor(
    readonly type: never,
    readonly data: never,
    readonly dims: readonly number[],
  ) {}
}

interface Connection {
  ask(request: Request | SessionsTask): Promise<object>;
  /** Whether an answer is pending. */
  isBusy(): boolean;
  hasEnded(): boolean;
  end(): void;
}

function connect(io: Io, name: string): Connection {
  const child = io.host.fork([PEER_PROCESS], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  let waiting: ((reply: Reply) => void) | undefined;
  let died = false;
  const settle = (reply: Reply) => {
    const settled = waiting;
    waiting = undefined;
    settled?.(reply);
  };
  const fail = (what: string) => {
    died = true;
    settle({ error: { name: 'Error', message: `the process of ${name} ${what}`, code: undefined } });
  };
  child.on('message', settle);
  child.once('error', ({ message }) => fail(`cannot start: ${message}`));
  child.once('exit', (status, signal) => fail(`crashed: ${signal ?? `exit status ${status}`}`));
  return {
    ask: (request) =>
      replyTo(child, request, (reply) => {
        waiting = reply;
      }),
    isBusy: () => waiting !== undefined,
    hasEnded: () => died,
    end: () => child.kill('SIGKILL'),
  };
}

async function replyTo(
  child: ChildProcess,
  request: Request | SessionsTask,
  wait: (settle: (reply: Reply) => void) => void,
): Promise<object> {
  const reply = await new Promise<Reply>((resolve, reject) => {
    wait(resolve);
    child.send(request, (error) => error && reject(new Error(`cannot send the request: ${error.message}`)));
  });
  if ('values' in reply) return reply.values;
  throw Object.assign(new Error(reply.error.message), { name: reply.error.name, code: reply.error.code });
}
