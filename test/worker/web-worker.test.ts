import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type PlatformWorker, startWorker } from '../../workers/platform-worker.js';
import { replacing } from '../faults/refusals.js';

const test = suite('web workers, where a platform has no others');

/** As the HTML standard has it: no event says that a worker has been terminated. */
class WebWorker extends EventTarget {
  isTerminated = false;
  postMessage(): void {}
  terminate(): void {
    this.isTerminated = true;
  }
}

/** Starts one as on a page. */
async function started(): Promise<{ worker: WebWorker; handle: PlatformWorker }> {
  const worker = new WebWorker();
  const globals = globalThis as { Worker?: unknown };
  globals.Worker = WebWorker;
  try {
    const start = async () =>
      startWorker(
        undefined,
        () => new URL('file:///none.js'),
        () => worker as unknown as Worker,
      );
    const handle = await replacing(process, 'getBuiltinModule', (() => undefined) as never, start);
    return { worker, handle: handle as PlatformWorker };
  } finally {
    delete globals.Worker;
  }
}

/** The reason why a worker has ended; undefined if it has not after a turn of the event loop. */
const reasonOf = ({ ended }: PlatformWorker): Promise<string | undefined> =>
  Promise.race([
    ended.then(({ message }) => message),
    new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined))),
  ]);

const failed = (type: string, message: string) => Object.assign(new Event(type), { message });

const ENDS: Readonly<Record<string, readonly [end: (worker: WebWorker, handle: PlatformWorker) => void, why: RegExp]>> =
  {
    'its script fails': [(worker) => worker.dispatchEvent(failed('error', 'x is not defined')), /^x is not defined$/],
    'its script is missing': [(worker) => worker.dispatchEvent(failed('error', '')), /script is missing/],
    'its message cannot be read': [(worker) => worker.dispatchEvent(new Event('messageerror')), /cannot be read/],
    'it is terminated': [(_, handle) => handle.terminate(), /was terminated/],
  };

for (const [name, [end, why]] of Object.entries(ENDS))
  test(`what waits for the end of a worker learns it: ${name}`, async () => {
    const { worker, handle } = await started();
    assert.is(await reasonOf(handle), undefined, 'before');
    end(worker, handle);
    assert.match((await reasonOf(handle)) ?? 'nothing', why);
  });

test('what waits before and after a worker is terminated learns the same, once', async () => {
  const { worker, handle } = await started();
  const before = handle.ended;
  handle.terminate();
  assert.ok(worker.isTerminated);
  handle.terminate();
  worker.dispatchEvent(failed('error', 'too late'));
  assert.match((await reasonOf(handle)) ?? 'nothing', /was terminated/);
  assert.is(before, handle.ended);
});

test.run();
