import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { env, InferenceSession, SardonyxError } from '../../src/index.js';
import { createPool } from '../../src/remote/pool/index.js';
import { InferenceSession as WorkerSession } from '../../src/remote/worker/index.js';
import { expectRejection } from '../expect-error.js';
import { serve, whole } from '../loading/server.js';
import { randomly } from '../session/run-model.js';
import { sharedModels } from '../shared-data.js';
import { type Case, dynamicSubjects, type Subject, storedSubject } from '../soak/subjects.js';
import { byTier, isAtLeast } from '../tier.js';
import { inTime } from './in-time.js';
import { type Refusals, refusingGrowth, replacing } from './refusals.js';
import { withWorker } from './started-workers.js';

const memory = suite('memory that is refused');

const STORED = byTier({
  quick: ['digits_cnn_trained'],
  ci: ['digits_cnn_trained', 'gru', 'forest_trained'],
  all: ['digits_cnn_trained', 'gru', 'lstm', 'forest_trained', 'unet_small', 'gpt_mini'],
});
const SEED = 7;
/** A pass that still finds something to refuse after so many is a loop. */
const MOST_CALLS = 300;

const folder = mkdtempSync(join(tmpdir(), 'sardonyx-'));
const subjects = [...sharedModels(...STORED).map(storedSubject), ...dynamicSubjects(folder)];
const server = await serve(
  Object.fromEntries(subjects.map(({ path }, i) => [`/${i}`, (...args) => whole(readFileSync(path))(...args)])),
);
memory.after(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

type Source = Parameters<typeof InferenceSession.create>[0];
const SOURCES: Readonly<Record<string, (subject: Subject) => Source>> = {
  bytes: ({ path }) => readFileSync(path),
  path: ({ path }) => path,
  url: (subject) => `${server.url}/${subjects.indexOf(subject)}`,
};

/** What went on until something was refused: the error, if any. */
async function refusal(work: () => Promise<void>): Promise<SardonyxError | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    assert.instance(error, SardonyxError, String((error as Error)?.stack));
    return error as SardonyxError;
  }
}

async function check(session: InferenceSession, { difference }: Subject, { feeds, expected }: Case): Promise<void> {
  const found = difference(await inTime('the run', session.run(feeds)), expected);
  assert.is(found, undefined);
}

/** Creates, runs and runs with other shapes; where that fails, the same once more without refusals. */
async function pass(subject: Subject, source: Source, threads: number, refusals: Refusals): Promise<void> {
  const random = randomly(SEED);
  const cases = [subject.draw(random), subject.largest, subject.draw(random)];
  let session: InferenceSession | undefined;
  let refused = 0;
  const step = async (work: () => Promise<void>) => {
    const error = await refusal(work);
    if (refusals.refused === refused) return assert.is(error, undefined, error?.stack);
    refused = refusals.refused;
    assert.is(error?.code, 'OUT_OF_MEMORY', error?.stack ?? 'a refusal was not said');
    assert.match(error?.message ?? '', /linear memory cannot grow to \d+ MiB/);
    const error2 = await refusal(work);
    if (refusals.refused === refused) return assert.is(error2, undefined, error2?.stack);
    refused = refusals.refused;
    return assert.is(error2?.code, 'OUT_OF_MEMORY', error2?.stack);
  };
  await step(async () => {
    session = await inTime('create', InferenceSession.create(source, { intraOpNumThreads: threads }));
  });
  for (const each of cases) if (session) await step(() => check(session as InferenceSession, subject, each));
  await session?.release();
}

/** In smaller tiers each source has every third subject. */
const sourcesFor = (subject: number) => Object.entries(SOURCES).filter((_, j) => isAtLeast('all') || j === subject % 3);

/** Threads wait for nothing here that takes time; two are enough. */
for (const [i, subject] of subjects.entries())
  for (const [kind, sourceOf] of sourcesFor(i))
    memory(`${subject.name} from ${kind}: each refusal is said, and the session goes on`, async () => {
      const source = sourceOf(subject);
      let [call, calls, refused] = [0, Number.POSITIVE_INFINITY, 0];
      while (call++ < Math.min(calls, MOST_CALLS)) {
        await refusingGrowth(
          (number) => number === call,
          async (refusals) => {
            await pass(subject, source, kind === 'path' ? 2 : 1, refusals);
            calls = refusals.calls;
            refused += refusals.refused;
          },
        );
      }
      console.log(`${subject.name} from ${kind}: ${refused} refusals`);
      assert.is(refused, call - 2);
      assert.ok(refused > 0);
    });

for (const subject of subjects)
  memory(`${subject.name}: what is refused from some call on is right again when there is room`, async () => {
    const source = readFileSync(subject.path);
    let refused = 0;
    for (let from = 1; ; from++) {
      let session: InferenceSession | undefined;
      const wasRefused = await refusingGrowth(
        (number) => number >= from,
        async (refusals) => {
          const error = await refusal(async () => {
            session = await InferenceSession.create(source);
            for (let i = 0; i < 2; i++) await session.run(subject.largest.feeds);
          });
          if (refusals.refused > 0) assert.is(error?.code, 'OUT_OF_MEMORY', error?.stack);
          else assert.is(error, undefined, error?.stack);
          return refusals.refused > 0;
        },
      );
      session ??= await InferenceSession.create(source);
      await check(session, subject, subject.largest);
      await session.release();
      if (!wasRefused) break;
      refused++;
    }
    console.log(`${subject.name}: refused from ${refused} calls on`);
    assert.ok(refused > 0);
  });

const [first] = subjects as [Subject];

memory('where no linear memory can be had, that is said, and a later session works', async () => {
  let refused = 0;
  const refusing = new Proxy(WebAssembly.Memory, {
    construct() {
      refused++;
      throw new RangeError('WebAssembly.Memory(): could not allocate memory');
    },
  });
  for (const intraOpNumThreads of [1, 2])
    await replacing(WebAssembly, 'Memory', refusing, () =>
      expectRejection(
        'OUT_OF_MEMORY',
        /could not allocate memory/,
        inTime('create', InferenceSession.create(first.path, { intraOpNumThreads })),
      ),
    );
  assert.ok(refused >= 2, `${refused} refusals`);
  const session = await InferenceSession.create(first.path);
  await check(session, first, first.largest);
  await session.release();
});

memory('where kernels cannot be compiled or instantiated, that is said, and a later session works', async () => {
  let refused = 0;
  const compile = async () => {
    refused++;
    throw new WebAssembly.CompileError('WebAssembly.compile(): no code for you');
  };
  const Instance = new Proxy(WebAssembly.Instance, {
    construct() {
      refused++;
      throw new RangeError('WebAssembly.Instance(): Out of memory: Cannot allocate Wasm memory for new instance');
    },
  });
  env.wasm.wasmBinary = readFileSync(new URL('../../build/sardonyx.simd.wasm', import.meta.url));
  try {
    await replacing(WebAssembly, 'compile', compile, () =>
      expectRejection('INVALID_ARGUMENT', /kernels cannot be loaded.*no code/s, InferenceSession.create(first.path)),
    );
    await replacing(WebAssembly, 'Instance', Instance, () =>
      expectRejection('OUT_OF_MEMORY', /Out of memory/, InferenceSession.create(first.path)),
    );
    assert.is(refused, 2);
    const session = await InferenceSession.create(first.path);
    await check(session, first, first.largest);
    await session.release();
  } finally {
    delete env.wasm.wasmBinary;
  }
});

function silently<T>(work: () => Promise<T>): Promise<T> {
  return replacing(console, 'warn', () => {}, work);
}

memory('where no worker can be started, sessions work on one thread, and those of workers say so', async () => {
  let refused = 0;
  const Refusing = class {
    constructor() {
      refused++;
      throw new Error('no worker for you');
    }
  } as never;
  await withWorker(Refusing, () =>
    silently(async () => {
      const session = await InferenceSession.create(first.path, { intraOpNumThreads: 3 });
      for (let i = 0; i < 3; i++) await check(session, first, first.largest);
      assert.is(session.threads, 1);
      await inTime('release', session.release());
      await expectRejection('WORKER_FAILED', /no worker for you/, inTime('worker', WorkerSession.create(first.path)));
      await expectRejection('WORKER_FAILED', /no worker for you/, inTime('pool', createPool(first.path, { size: 2 })));
    }),
  );
  assert.is(refused, 5);
});

memory('where there is no SharedArrayBuffer, one thread works, and so does a pool', async () => {
  const feedsAndMore = first.largest;
  await replacing(globalThis, 'SharedArrayBuffer', undefined as never, () =>
    silently(async () => {
      assert.is(typeof SharedArrayBuffer, 'undefined');
      const session = await InferenceSession.create(readFileSync(first.path), { intraOpNumThreads: 3 });
      await check(session, first, feedsAndMore);
      assert.is(session.threads, 1);
      await session.release();
      const pool = await createPool(readFileSync(first.path), { size: 2 });
      assert.is(first.difference(await pool.run(feedsAndMore.feeds), feedsAndMore.expected), undefined);
      await pool.release();
    }),
  );
});

memory.run();
