import { createRequire } from 'node:module';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { InferenceSession } from '../../src/index.js';
import { createPool } from '../../src/remote/pool/index.js';
import { InferenceSession as WorkerSession } from '../../src/remote/worker/index.js';
import { replacing } from '../faults/refusals.js';
import { leading } from '../tier.js';
import { buildPackage, chainOfProducts, floats } from '../worker/session-worker.js';
import { KILLED, type Kind, LIVES, leftOf, type Openers, type Watch } from './lives.js';

const lifecycles = leading(suite('what sessions leave behind'), { quick: 3, ci: 5 });
lifecycles.before(buildPackage);

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const workers = createRequire(import.meta.url)('node:worker_threads') as typeof import('node:worker_threads');

const openers: Openers = {
  session: (model, options) => InferenceSession.create(model, options) as never,
  worker: (model, options) => WorkerSession.create(model, options) as never,
  pool: (model, options) => createPool(model, { ...options, size: 2 }) as never,
};

const ALL = { ...LIVES, ...KILLED };

interface Made {
  readonly life: string;
  readonly object: WeakRef<object>;
  isWorking: boolean;
}

/** Does `work` while all workers and memories that are made are watched, and held by nobody. */
function watched<T>(work: (watch: Watch) => Promise<T>): Promise<T> {
  const made: Made[] = [];
  let life = '';
  const note = (object: object, isWorking: boolean): Made => {
    const each = { life, object: new WeakRef(object), isWorking };
    made.push(each);
    return each;
  };
  const Worker = new Proxy(workers.Worker, {
    construct(target, given: ConstructorParameters<typeof workers.Worker>) {
      const worker = new target(...given);
      const noted = note(worker, true);
      worker.once('exit', () => {
        noted.isWorking = false;
      });
      return worker;
    },
  });
  const Memory = new Proxy(WebAssembly.Memory, {
    construct(target, given: ConstructorParameters<typeof WebAssembly.Memory>) {
      const memory = new target(...given);
      note(memory, false);
      return memory;
    },
  });
  const watch: Watch = {
    begin(name) {
      life = name;
    },
    async kill() {
      const own = made.filter((each) => each.life === life && each.isWorking);
      await Promise.all(own.map(({ object }) => (object.deref() as InstanceType<typeof Worker>).terminate()));
    },
    async collect() {
      await setTimeout(20);
      collectGarbage();
    },
    left: () =>
      Object.fromEntries(
        [...new Set(made.map((each) => each.life))].map((name) => {
          const own = made.filter((each) => each.life === name);
          const count = (is: (each: Made) => boolean) => own.filter(is).length;
          return [
            name,
            {
              workers: count(({ isWorking }) => isWorking),
              objects: count(({ object }) => object.deref() !== undefined),
            },
          ];
        }),
      ),
  };
  return replacing(workers, 'Worker', Worker, () => replacing(WebAssembly, 'Memory', Memory, () => work(watch)));
}

const example = { model: chainOfProducts(20, 64), feeds: { x: floats([32, 64], 2) } };

const CASES: readonly (readonly [Kind, number])[] = [
  ['session', 1],
  ['session', 2],
  ['worker', 1],
  ['worker', 2],
  ['pool', 1],
  ['session', 3],
];

for (const [kind, threads] of CASES)
  lifecycles(
    `${kind}, threads: ${threads}: neither a worker nor a memory, in ${Object.keys(ALL).length} lives`,
    async () => {
      const { warn } = console;
      console.warn = () => {}; // Of the threads that are killed.
      try {
        assert.equal(await watched((watch) => leftOf(openers, kind, threads, example, watch, ALL)), {});
      } finally {
        console.warn = warn;
      }
    },
  );

lifecycles.run();
