import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { float, modelBuilder, tensor } from '../../src/builder/index.js';
import { cached, list, remove } from '../../src/cache/index.js';
import { InferenceSession, Tensor } from '../../src/index.js';
import * as ort from '../../src/onnxruntime/index.js';
import { createPool, type SessionPool } from '../../src/remote/pool/index.js';
import { InferenceSession as WorkerSession } from '../../src/remote/worker/index.js';
import { buildPackage } from '../built-package.js';
import { f32 } from '../values.js';
import { problemOf, refusalOf, WRONG } from './contract/wrong-values.js';
import { modelOf } from './run-model.js';

/** Every public function with each wrong value in place of each of its arguments; `run` is the contract's, session/contract.ts. */
const model = modelOf((b, x) => b.output('y', b.op('Abs', [x])), ['n', 2]);
const folder = mkdtempSync(join(tmpdir(), 'sardonyx-'));
const x = f32([1, 2], [1, -2]);
const never = new AbortController().signal;

interface Open {
  readonly session: InferenceSession;
  readonly worker: WorkerSession;
  readonly pool: SessionPool;
}
let open: Open;

// biome-ignore lint/suspicious/noExplicitAny: wrong arguments of every kind
type Wrong = any;
type Call = (wrong: Wrong) => unknown;
const fresh = () => {
  const b = modelBuilder({ opset: 21 });
  return { b, x: b.input('x', 'float32', [2]) };
};
const collected = async (items: AsyncIterable<unknown>) => {
  for await (const item of items) return item;
};
const nothing = ['undefined', 'null'];
const plain = [...nothing, '{}', 'a date'];

/** What each call takes, beside which everything is to be refused. */
const CALLS: readonly (readonly [name: string, call: Call, taken?: readonly string[]])[] = [
  ['new Tensor(…)', (w) => new Tensor(w), ['[]']],
  ['new Tensor(…, data)', (w) => new Tensor(w, [1])],
  ["new Tensor('float32', …)", (w) => new Tensor('float32', w), ['[]']],
  ["new Tensor('float32', …, [2])", (w) => new Tensor('float32', w, [2])],
  ["new Tensor('float32', [1], …)", (w) => new Tensor('float32', [1], w), [...nothing, '[]']],
  ["new Tensor('float32', [1], [1, …])", (w) => new Tensor('float32', [1], [1, w])],
  ["new Tensor('float32', […])", (w) => new Tensor('float32', [w]), ['3', 'NaN']],
  ["new Tensor('int64', […])", (w) => new Tensor('int64', [w]), ['3', '1n']],
  ["new Tensor('uint4', […])", (w) => new Tensor('uint4', [w]), ['3']],
  ["new Tensor('bool', […])", (w) => new Tensor('bool', [w]), ['true']],
  ["new Tensor('string', […])", (w) => new Tensor('string', [w]), ['""']],
  ['tensor.reshape(…)', (w) => new Tensor([1]).reshape(w), [...nothing, '[]']],

  ['new InferenceSession(…)', (w) => new (InferenceSession as Wrong)(w)],
  ['new InferenceSession(…, …)', (w) => new (InferenceSession as Wrong)(w, w)],
  ['InferenceSession.create(…)', (w) => InferenceSession.create(w)],
  ['InferenceSession.create(model, …)', (w) => InferenceSession.create(model, w), plain],
  ['InferenceSession.create(buffer, 0, …)', (w) => InferenceSession.create(model.slice().buffer, 0, w), ['undefined']],
  ['InferenceSession.create(…, 0)', (w) => InferenceSession.create(w, 0)],

  ['worker: new InferenceSession(…)', (w) => new (WorkerSession as Wrong)(w)],
  ['worker: new InferenceSession(…, …)', (w) => new (WorkerSession as Wrong)(w, w)],
  ['worker: InferenceSession.create(…)', (w) => WorkerSession.create(w)],
  ['worker: InferenceSession.create(model, …)', (w) => WorkerSession.create(model, w).then((s) => s.release()), plain],

  ['createPool(…)', (w) => createPool(w, { size: 1 })],
  ['createPool(model, …)', (w) => (w ? createPool(model, w).then((p) => p.release()) : 0), [...plain, 'NaN', '""']],
  [
    'createPool(model, { size: … })',
    (w) => createPool(model, { size: w }).then((p) => p.release()),
    ['undefined', '3'],
  ],
  ['pool: runAll(…)', (w) => collected(open.pool.runAll(w)), ['""', '[]']],
  ['pool: runAll([…])', (w) => collected(open.pool.runAll([w]))],
  ['pool: runAll([{ x }], …)', (w) => collected(open.pool.runAll([{ x }], w)), [...plain, '[]']],
  ['pool: runBatch(…)', (w) => open.pool.runBatch(w)],
  ['pool: runBatch({ x }, …)', (w) => open.pool.runBatch({ x }, w), plain],
  ['pool: runBatch({ x }, { parts: … })', (w) => open.pool.runBatch({ x }, { parts: w }), ['undefined']],
  ['pool: runBatch({ x }, { whole: … })', (w) => open.pool.runBatch({ x }, { whole: w }), ['undefined', '[]', '[[1]]']],

  ['modelBuilder(…)', (w) => modelBuilder(w)],
  ['modelBuilder({ opset: … })', (w) => modelBuilder({ opset: w }), ['3']],
  ['modelBuilder({ opset, opsets: … })', (w) => modelBuilder({ opset: 21, opsets: w }), plain],
  ['b.input(…)', (w) => fresh().b.input(w)],
  ['b.input(name, …)', (w) => fresh().b.input('z', w), ['undefined']],
  ["b.input(name, 'float32', …)", (w) => fresh().b.input('z', 'float32', w), ['undefined', '[]']],
  ["b.input(name, 'float32', [2], …)", (w) => fresh().b.input('z', 'float32', [2], w), plain],
  ['b.constant(…, tensor)', (w) => fresh().b.constant(w, x)],
  ['b.constant(name, …)', (w) => fresh().b.constant('c', w)],
  ['b.op(…)', (w) => fresh().b.op(w, [])],
  ["b.op('Relu', …)", (w) => fresh().b.op('Relu', w), ['undefined', '[]']],
  ["b.op('Relu', […])", (w) => fresh().b.op('Relu', [w]), ['null']],
  ["b.op('Relu', [], …)", (w) => fresh().b.op('Relu', [], w), plain],
  [
    "b.op('Relu', [], { alpha: … })",
    (w) => fresh().b.op('Relu', [], { alpha: w }),
    ['undefined', '3', 'NaN', 'true', '""'],
  ],
  ["b.op('Relu', [], { alpha: float(…) })", (w) => fresh().b.op('Relu', [], { alpha: float(w) }), ['3', 'NaN']],
  ["b.node('Relu', [], {}, …)", (w) => fresh().b.node('Relu', [], {}, w), plain],
  [
    "b.node('Relu', [], {}, { outputs: … })",
    (w) => fresh().b.node('Relu', [], {}, { outputs: w }),
    ['undefined', '3', '[]'],
  ],
  [
    'b.output(…, x)',
    (w) => {
      const { b, x } = fresh();
      b.output(w, x);
    },
  ],
  ['b.output(name, …)', (w) => fresh().b.output('y', w)],
  ['b.subgraph(name, …)', (w) => fresh().b.subgraph('g', w)],
  ['tensor(…, dims, values)', (w) => tensor(w, [1], [1])],
  ['tensor(type, …, values)', (w) => tensor('float32', w, [1]), ['[]']],
  ['tensor(type, dims, …)', (w) => tensor('float32', [2], w)],
  ['tensor(type, dims, […])', (w) => tensor('float32', [1], [w]), ['3', 'NaN']],

  ['cached(…)', (w) => cached(w, { folder })],
  ['cached(url, …)', (w) => (w === undefined || w === null ? 0 : cached('data:,x', w)), plain],
  ['cached(url, { integrity: … })', (w) => cached('data:,x', { folder, integrity: w }), ['undefined']],
  ['cached(url, { folder: … })', (w) => cached('data:,x', { folder: w }), ['undefined']],
  ['cached(url, { signal: … })', (w) => cached('data:,x', { folder, signal: w }), nothing],
  ['list(…)', (w) => list(w), plain],
  ['list({ folder: … })', (w) => list({ folder: w }), ['undefined']],
  ['list({ name: … })', (w) => list({ folder, name: w }), ['undefined']],
  ['remove(…)', (w) => remove(w, { folder })],
  ['remove(url, …)', (w) => remove('https://example.org/x', w), plain],

  ['onnxruntime: new Tensor(…)', (w) => new ort.Tensor(w), ['[]']],
  ["onnxruntime: new Tensor('float32', …)", (w) => new ort.Tensor('float32', w), ['[]']],
  ['onnxruntime: InferenceSession.create(…)', (w) => ort.InferenceSession.create(w)],
  ['onnxruntime: InferenceSession.create(model, …)', (w) => ort.InferenceSession.create(model, w), plain],
];

const test = suite('wrong arguments');

test.before(async () => {
  buildPackage();
  process.env.SARDONYX_CACHE = folder;
  open = {
    session: await InferenceSession.create(model),
    worker: await WorkerSession.create(model),
    pool: await createPool(model, { size: 1 }),
  };
});

test.after(async () => {
  await Promise.all(Object.values(open).map((each) => each.release()));
  delete process.env.SARDONYX_CACHE;
  rmSync(folder, { recursive: true });
});

for (const [name, call, taken = []] of CALLS)
  test(name, async () => {
    const problems: string[] = [];
    for (const [label, wrong] of Object.entries(WRONG)) {
      const error = await refusalOf(() => call(wrong));
      const problem = error === undefined ? !taken.includes(label) && 'is taken' : problemOf(error);
      if (problem) problems.push(`${label}: ${problem}`);
      else if (error && taken.includes(label)) problems.push(`${label} is refused: ${(error as Error).message}`);
    }
    assert.equal(problems, [], problems.join('\n'));
  });

test('afterwards all of them work', async () => {
  for (const each of [open.session, open.worker, open.pool]) {
    const { y } = await each.run({ x }, ['y'], { signal: never });
    assert.equal(y.data, Float32Array.of(1, 2));
  }
});

test.run();
