import { SardonyxError } from '../../base/errors.js';
import type { Io } from '../io.js';
import type { Task, Trial } from './peer.js';

/** The command that `runInChild` starts; people have no use for it. */
export const PEER_PROCESS = 'peer-process';

/** What the process is asked for. */
export interface OnnxruntimeTask extends Task {
  readonly name: string;
  /** The package's entry point. */
  readonly entry: string;
  readonly threads: number;
}

export type Answer = { readonly trial: Trial } | { readonly error: string };

/** Runs a task in a process of its own, which native code may bring down. */
export function runInChild(io: Io, task: OnnxruntimeTask): Promise<Trial> {
  const child = io.host.fork([PEER_PROCESS], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return new Promise<Trial>((resolve, reject) => {
    const fail = (message: string) => reject(new SardonyxError('INTERNAL', `${task.name} ${message}`));
    child.once('message', (answer: Answer) => {
      if ('trial' in answer) resolve(answer.trial);
      else fail(`says: ${answer.error}`);
    });
    child.once('error', (error) => fail(`cannot be started: ${error.message}`));
    child.once('exit', (status, signal) => fail(`has died: ${signal ?? `exit status ${status}`}`));
    child.send(task, (error) => error && fail(`cannot be given the inputs: ${error.message}`));
  }).finally(() => child.kill());
}
