import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { sharedFolder } from '../../shared-data.js';

/** What a process says of the first graph that fails; `crash`: it has died, or has not answered in time. */
export interface Sighting {
  readonly seed: number;
  readonly kind: 'wrong' | 'untyped' | 'crash';
  readonly mode: string;
  readonly message: string;
}

/** Searches batches of seeds with the sources of one checkout. */
export interface Searcher {
  /** The first of the seeds that fails; one batch is searched after the other. */
  search(seeds: readonly number[]): Promise<Sighting | null>;
  stop(): void;
}

/** A batch takes seconds; one that hangs shall end. */
const MOST_MS = 600_000;

const SHARED = join(sharedFolder('onnx-schemas') ?? '', '..');

export function searcherIn(checkout: string): Searcher {
  let child: ChildProcess | undefined;
  const started = () => {
    child ??= fork(join(checkout, 'test/fuzz/mutants/process.ts'), {
      cwd: checkout,
      execArgv: ['--import', 'tsx'],
      env: { ...process.env, SARDONYX_SHARED: SHARED },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    return child;
  };
  const stop = () => {
    child?.kill('SIGKILL');
    child = undefined;
  };
  const searchAlone = async (seeds: readonly number[]) => {
    const running = started();
    const crash: Sighting = { seed: seeds[0] as number, kind: 'crash', mode: 'any', message: 'died, or took too long' };
    const timer = setTimeout(() => running.kill('SIGKILL'), MOST_MS);
    const answer = await new Promise<Sighting | null>((resolve) => {
      running.once('message', (found) => resolve(found as Sighting | null));
      running.once('exit', () => resolve(crash));
      running.send([...seeds], () => {});
    });
    clearTimeout(timer);
    running.removeAllListeners();
    if (answer?.kind === 'crash') child = undefined;
    return answer;
  };
  let last: Promise<Sighting | null> = Promise.resolve(null);
  const search = (seeds: readonly number[]) => {
    last = last.then(() => searchAlone(seeds));
    return last;
  };
  return { search, stop };
}
