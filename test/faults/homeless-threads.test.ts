import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import { env, InferenceSession, Tensor } from '../../src/index.js';
import { inTime } from './in-time.js';

const homeless = suite('kernel threads that are called and do not come');

/** A word of a team (`assembly/team.ts`) that the product leaves alone. */
const ELECTED = 15;

/** What one thread of a team does in place of the product's, when it is to `serve`, or to join for the second time. */
const MISCHIEF = {
  'never goes home': `serve: () => { for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); }`,
  'never joins again': `serve: exports.serveTeam, again: () => { for (;;); }`,
};

/** The product's thread, but for the first of a team to serve. */
const threadWith = (mischief: string) => `
const { Instance } = WebAssembly;
let isElected = false;
let again = () => {};
WebAssembly.Instance = function (module, imports) {
  if (isElected) again();
  const { exports } = new Instance(module, imports);
  function serveTeam(team) {
    const words = new Int32Array(imports.env.memory.buffer, team);
    if (Atomics.compareExchange(words, ${ELECTED}, 0, 1) !== 0) return exports.serveTeam(team);
    isElected = true;
    const chosen = { ${mischief} };
    again = chosen.again ?? again;
    return chosen.serve(team);
  }
  return { exports: { ...exports, serveTeam } };
};
await import('${new URL('../../build/kernel-worker.js', import.meta.url)}');`;

/** Needs the kernels of narrow numbers, for which threads join once more. */
function product(): Uint8Array {
  const b = modelBuilder({ opset: 20 });
  const a = b.input('a', 'uint8', [64, 64]);
  const w = b.constant(
    'w',
    tensor(
      'int8',
      [64, 96],
      Int8Array.from({ length: 64 * 96 }, (_, i) => (i % 251) - 125),
    ),
  );
  b.output('y', b.op('MatMulInteger', [a, w]));
  return b.toBytes();
}

const feeds = () => ({
  a: new Tensor(
    'uint8',
    Uint8Array.from({ length: 64 * 64 }, (_, i) => (i * 7) % 256),
    [64, 64],
  ),
});

let warn: typeof console.warn;
const warnings: string[] = [];
homeless.before(() => {
  warn = console.warn;
  console.warn = (text: string) => warnings.push(text);
});
homeless.after(() => {
  console.warn = warn;
  delete env.wasm.workerUrl;
});

for (const [what, mischief] of Object.entries(MISCHIEF))
  homeless(`a session opens, and runs on those that are left, where a thread ${what}`, async () => {
    const alone = await InferenceSession.create(product(), { intraOpNumThreads: 1 });
    const expected = (await alone.run(feeds())).y?.data;
    await alone.release();
    env.wasm.workerUrl = new URL(`data:text/javascript,${encodeURIComponent(threadWith(mischief))}`);
    warnings.length = 0;
    const session = await inTime(what, InferenceSession.create(product(), { intraOpNumThreads: 3 }));
    for (let i = 0; i < 3; i++) assert.equal((await inTime('a run', session.run(feeds()))).y?.data, expected);
    assert.is(session.threads, 2);
    assert.match(
      warnings.join('\n'),
      /a thread is missing, the others go on: it has not (come home|joined again) within 2 s/,
    );
    await inTime('release', session.release());
  });

homeless.run();
