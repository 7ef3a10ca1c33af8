// Whole programs on the installed package, written as anybody writes them: they have their threads, and end by themselves.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { cores } from '../../src/backends/wasm/threads.js';
import { modelBuilder } from '../../src/builder/index.js';
import { randomFloats } from '../assembly/kernels.js';
import { type Consumer, consumer } from '../installed-package.js';
import { isAtLeast } from '../tier.js';

const programs = suite<{ app: Consumer; expected: string }>('threads of whole programs');

const SIDE = 96;
const values = randomFloats(SIDE * SIDE, 3);

/** Products of matrices: some tens of tiles each. */
function network(): Uint8Array {
  const b = modelBuilder({ opset: 20 });
  const weights = b.constant('w', { type: 'float32', dims: [SIDE, SIDE], data: values.map((value) => value / SIDE) });
  let x = b.input('x', 'float32', [SIDE, SIDE]);
  for (let i = 0; i < 4; i++) x = b.op('Tanh', [b.op('MatMul', [x, weights])]);
  b.output('y', x);
  return b.toBytes();
}

const PRELUDE = `
import { readFileSync } from 'node:fs';
import { env, InferenceSession, Tensor } from 'sardonyx';

const values = new Float32Array(new Uint8Array(readFileSync('x.bin')).buffer);
const feeds = { x: new Tensor('float32', values, [${SIDE}, ${SIDE}]) };
const sumOf = ({ y }) => Array.from(y.data).reduce((sum, value) => sum + value, 0);
const script = (source) => new URL('data:text/javascript,' + encodeURIComponent(source));
`;

/** Prints the last result, as one number that all its bits go into, and how many threads worked. */
const LOOP = `
let results;
for (let i = 0; i < 20; i++) results = await session.run(feeds);
console.log(sumOf(results), session.threads);
`;

interface Program {
  readonly source: string;
  /** Threads that work in the end, for each line printed. */
  readonly threads: readonly number[];
  readonly warning?: RegExp;
  /** Only tier all tries it: the calling thread waits as it does for threads that hang. */
  readonly isLikeOthers?: true;
}

const ALONE = `const session = await InferenceSession.create('model.onnx', { intraOpNumThreads: 1 });${LOOP}`;
const two = `await InferenceSession.create('model.onnx', { intraOpNumThreads: 2 });`;
const kernelWorker = `new URL('node_modules/sardonyx/build/kernel-worker.js', 'file://' + process.cwd() + '/')`;

const PROGRAMS: Readonly<Record<string, Program>> = {
  'a plain loop': { source: `const session = ${two}${LOOP}`, threads: [2] },
  'a plain loop, with as many threads as there are by default': {
    source: `const session = await InferenceSession.create('model.onnx');${LOOP}`,
    threads: [Math.min(cores(), 8)],
  },
  'a plain loop, then release': { source: `const session = ${two}${LOOP}await session.release();`, threads: [2] },
  'a plain loop of runs with signals': {
    source: `const session = ${two}${LOOP.replace('(feeds)', '(feeds, { signal: new AbortController().signal })')}`,
    threads: [2],
  },
  'a plain loop in a worker': {
    source: `
      const remote = await import('sardonyx/worker');
      const session = await remote.InferenceSession.create('model.onnx', { intraOpNumThreads: 2 });
      ${LOOP.replace('session.threads', 'await session.threads')}`,
    threads: [2],
  },
  'eight sessions at once, each in a plain loop': {
    source: `await Promise.all(Array.from({ length: 8 }, async () => { const session = ${two}${LOOP} }));`,
    threads: Array(8).fill(2),
  },
  'one session after another, none released': {
    source: `for (let round = 0; round < 5; round++) { const session = ${two}${LOOP} }`,
    threads: Array(5).fill(2),
  },
  'a session that never runs': { source: two, threads: [] },
  'a session that is released at once': { source: `const session = ${two} await session.release();`, threads: [] },
  'one run, then release': {
    source: `const session = ${two} console.log(sumOf(await session.run(feeds)), 2); await session.release();`,
    threads: [2],
  },
  'a session that is aborted while it is being made': {
    source: `
      const controller = new AbortController();
      const making = InferenceSession.create('model.onnx', { intraOpNumThreads: 3, signal: controller.signal });
      setTimeout(() => controller.abort());
      await making.then(() => console.log('made'), ({ code }) => { if (code !== 'ABORTED') throw code; });`,
    threads: [],
  },
  'models that are none': {
    source: `
      for (let i = 0; i < 20; i++)
        await InferenceSession.create(new Uint8Array(i), { intraOpNumThreads: 3 }).then(
          () => console.log('made'),
          ({ code }) => { if (code !== 'INVALID_MODEL') throw code; },
        );`,
    threads: [],
  },
  'threads that hang before they have started': {
    source: `env.wasm.workerUrl = script('Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);'); const session = ${two}${LOOP}`,
    threads: [1],
    warning: /threads have not started within 2 s/,
  },
  'threads that never answer': {
    source: `env.wasm.workerUrl = script('await new Promise((resolve) => setTimeout(resolve, 1e9))'); const session = ${two}${LOOP}`,
    threads: [1],
    warning: /threads have not started within 2 s/,
    isLikeOthers: true,
  },
  'threads that end before they have started': {
    source: `env.wasm.workerUrl = script('process.exit(9)'); const session = ${two}${LOOP}`,
    threads: [1],
    warning: /a thread is missing, the others go on: the worker ended with code 9/,
  },
  'threads that join late': {
    source: `
      env.wasm.workerUrl = script(\`
        await new Promise((resolve) => setTimeout(resolve, 3000));
        await import('\${${kernelWorker}}');\`);
      const session = ${two}
      const end = Date.now() + 20_000;
      while (session.threads < 2 && Date.now() < end) {
        await session.run(feeds);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      ${LOOP}`,
    threads: [2],
    warning: /threads have not started within 2 s/,
  },
};

programs.before((context) => {
  context.app = consumer();
  writeFileSync(join(context.app.folder, 'model.onnx'), network());
  writeFileSync(join(context.app.folder, 'x.bin'), new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
  const { stdout, stderr } = runProgram(context.app, ALONE);
  assert.match(stdout, / 1\n$/, stderr);
  context.expected = stdout.slice(0, -3);
});

programs.after(({ app }) => app.remove());

function runProgram({ folder: cwd }: Consumer, source: string) {
  writeFileSync(join(cwd, 'program.mjs'), PRELUDE + source);
  return spawnSync(process.execPath, ['program.mjs'], { cwd, encoding: 'utf8', timeout: 180_000 });
}

const tried = Object.entries(PROGRAMS).filter(([, { isLikeOthers }]) => !isLikeOthers || isAtLeast('all'));

for (const [name, { source, threads, warning }] of tried)
  programs(name, ({ app, expected }) => {
    const { status, stdout, stderr } = runProgram(app, source);
    assert.is(status, 0, stderr);
    assert.is(stdout, threads.map((count) => `${expected} ${count}\n`).join(''), stderr);
    if (warning) assert.is(stderr.match(new RegExp(warning, 'g'))?.length, 1, stderr);
    else assert.is(stderr, '');
  });

programs.run();
