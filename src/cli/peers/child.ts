import { SardonyxError } from '../../base/errors.js';
import type { Io } from '../io.js';
import type { Task, Trial } from './peer.js';

/** The hidden command that `runInChild` starts. */
export const PEER_PROCESS = 'peer-process';

/** A request to the process. */
export interface OnnxruntimeTask extends Task {
  readonly name: string;
  /** The package's entry point. */
  readonly entry: string;
  readonly threads: number;
}

export type Answer = { readonly trial: Trial } | { readonly error: string };

/** Runs a task in a process of its own, since native code may crash it. */
export function runInChild(io: Io, task: OnnxruntimeTask): Promise<Trial> {
  const child = io.host.fork([PEER_PROCESS], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return new Promise<Trial>((resolve, reject) => {
    const fail = (message: string) => reject(new SardonyxError('INTERNAL', `${task.name} ${message}`));
    child.once('message', (answer: Answer) => {
      if ('trial' in answer) resolve(answer.trial);
      else fail(`failed: ${answer.error}`);
    });
    child.once('error', (error) => fail(`cannot start: ${error.message}`));
    child.once('exit', (status, signal) => fail(`crashed: ${signal ?? `exit status ${status}`}`));
    child.send(task, (error) => error && fail(`did not receive the inputs: ${error.message}`));
  }).finally(() => child.kill());
}
