import { createRequire } from 'node:module';

type Workers = typeof import('node:worker_threads');
export type NodeWorker = import('node:worker_threads').Worker;

/** The module as the product finds it, whose Worker can be replaced. */
const workers = createRequire(import.meta.url)('node:worker_threads') as { Worker: Workers['Worker'] };

/** Does `work` while workers are started by another constructor. */
export async function withWorker<T>(replacement: Workers['Worker'], work: () => Promise<T>): Promise<T> {
  const { Worker } = workers;
  workers.Worker = replacement;
  try {
    return await work();
  } finally {
    workers.Worker = Worker;
  }
}

/** Does `work`, and gives it all workers that are started meanwhile. */
export function withStartedWorkers<T>(work: (started: readonly NodeWorker[]) => Promise<T>): Promise<T> {
  const started: NodeWorker[] = [];
  const watched = new Proxy(workers.Worker, {
    construct(target, [script, options]: ConstructorParameters<Workers['Worker']>) {
      const worker = new target(script, options);
      started.push(worker);
      return worker;
    },
  });
  return withWorker(watched, () => work(started));
}
