import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../../src/builder/index.js';
import * as sardonyx from '../../../src/index.js';
import * as compatible from '../../../src/onnxruntime/interface.js';
import type { HostValue } from '../../../src/tensor/tensor-value.js';
import {
  type ConformanceOptions,
  type ConformanceResult,
  type ConformanceRuntime,
  conformanceCases,
  runConformance,
} from '../../../src/tools/conformance/index.js';
import { expectRejection } from '../../expect-error.js';
import { f32, i64 } from '../../values.js';
import { caseFiles, type Files, relu, STRINGS, THREE } from './suites.js';

const test = suite('conformance');

const run = async (files: Files, runtime: ConformanceRuntime = sardonyx, options?: ConformanceOptions) =>
  runConformance(await conformanceCases(Object.entries(files)), runtime, options);

const only = async (...given: Parameters<typeof run>): Promise<ConformanceResult> =>
  (await run(...given)).cases[0] as ConformanceResult;

/** A runtime that does all as Sardonyx does, but for some. */
function runtimeThat(changes: {
  create?: () => Promise<void>;
  run?: (results: Record<string, unknown>) => unknown;
  release?: () => Promise<void>;
}): ConformanceRuntime {
  const create = async (model: Uint8Array) => {
    await changes.create?.();
    const session = await sardonyx.InferenceSession.create(model);
    return {
      run: async (feeds: never) => {
        const results = (await session.run(feeds)) as Record<string, unknown>;
        return changes.run ? changes.run(results) : results;
      },
      release: changes.release ?? (() => session.release()),
    };
  };
  return { InferenceSession: { create }, Tensor: sardonyx.Tensor };
}

const ONE = caseFiles('test_relu', relu(), [f32([3], [-1, 0, 2])], [f32([3], [0, 0, 2])]);

test('what is off is said with the place and by how much', async () => {
  const { problems, outcome } = await only({ ...THREE }, sardonyx, { filter: 'off' });
  assert.is(outcome, 'failed');
  assert.equal(problems, [
    {
      dataSet: '0',
      output: 'y',
      message: '1 element is out of tolerance, largest error 0.25; at [1]: expected 0.25, got 0',
      maxAbs: 0.25,
      relativeL2: Math.sqrt(0.25 ** 2 / (0.25 ** 2 + 2 ** 2)),
      at: { index: [1], actual: 0, expected: 0.25 },
    },
  ]);
});

/** Values of all kinds go into a model and come out as they are. */
const KINDS: Readonly<Record<string, readonly [type: string, value: HostValue]>> = {
  'a tensor without elements': ['float[2, 0]', f32([2, 0], [])],
  'a number': ['float', f32([], [7])],
  'not a number': ['float[3]', f32([3], [Number.NaN, Number.POSITIVE_INFINITY, -0])],
  strings: ['string[2]', STRINGS],
  'large integers': ['int64[2]', i64([2], [2n ** 63n - 1n, -(2n ** 63n)])],
  halves: ['float16[2]', tensor('float16', [2], [1, 1.5])],
  bfloat16: ['bfloat16[2]', tensor('bfloat16', [2], [1, 1.5])],
  'floats of 8 bits': ['float8e4m3fn[2]', tensor('float8e4m3fn', [2], [1, 1.125])],
  'integers of 4 bits': ['int4[3]', tensor('int4', [3], [1, -8, 7])],
};

for (const [name, [type, value]] of Object.entries(KINDS))
  test(`${name} through both interfaces`, async () => {
    const { parseModel, saveModel } = await import('../../../src/tools/index.js');
    const text = `<ir_version: 11, opset_import: ["": 23]> g (${type} x) => (${type} y) { y = Identity(x) }`;
    const files = caseFiles('test_identity', await saveModel(parseModel(text)), [value], [value]);
    for (const runtime of [sardonyx, compatible] as ConformanceRuntime[])
      assert.equal((await only(files, runtime)).problems, []);
  });

test('sequences, subgraphs and functions', async () => {
  const { parseModel, saveModel } = await import('../../../src/tools/index.js');
  const model = parseModel(`<ir_version: 11, opset_import: ["": 23, "own": 1]>
    g (seq(float[N]) list, float[M] last) => (seq(float[L]) longer)
    { grown = own.Push(list, last)
      yes = Constant<value = bool {1}>()
      longer = If (yes) <then_branch = t () => (seq(float[L]) a) { a = Identity(grown) }, else_branch = e () => (seq(float[L]) b) { b = SequenceErase(grown) }> }
    <domain: "own", opset_import: ["": 23]> Push (list, x) => (grown) { grown = SequenceInsert(list, x) }`);
  const [one, two] = [f32([1], [1]), f32([2], [2, 3])];
  const files = caseFiles('test_push', await saveModel(model), [[one], two], [[one, two]]);
  const passed = await only(files);
  assert.equal(passed.problems, []);
  assert.equal(passed.operators, ['Constant', 'Identity', 'If', 'SequenceErase', 'SequenceInsert']);
  assert.equal(passed.opsets, { 'ai.onnx': 23, own: 1 });
  const short = caseFiles('test_push', await saveModel(model), [[one], two], [[one]]);
  assert.match((await only(short)).problems[0]?.message ?? '', /expected 1 items, got 2/);
});

test('inputs with defaults need no file, wherever they stand', async () => {
  const { parseModel, saveModel } = await import('../../../src/tools/index.js');
  const text = '<ir_version: 11, opset_import: ["": 23]> g (float[2] w, float[2] x) => (float[2] y)';
  const model = await saveModel(parseModel(`${text} <float[2] w = {10, 20}> { y = Mul(x, w) }`));
  const [x, w] = [f32([2], [1, 2]), f32([2], [3, 4])];
  for (const [inputs, y] of [
    [[x], f32([2], [10, 40])],
    [[w, x], f32([2], [3, 8])],
    [[undefined, x], f32([2], [10, 40])],
  ] as const)
    assert.equal((await only(caseFiles('test_default', model, inputs, [y]))).problems, []);
});

test('light models need no input files, and a model without outputs is no case', async () => {
  const b = modelBuilder({ opset: 21 });
  const x = b.input('x', 'float32', [4]);
  b.output('y', b.op('Mul', [x, b.constant('two', f32([], [2]))]), 'float32', [4]);
  const model = b.toBytes();
  const light: Files = {
    'light/twice.onnx': model,
    'light/other.onnx': model,
    'light/twice_output_0.pb': caseFiles('c', model, [], [f32([4], [0, 0.5, 1, 1.5])])[
      'c/test_data_set_0/output_0.pb'
    ] as Uint8Array,
  };
  assert.equal(
    (await run(light)).cases.map(({ name, outcome }) => [name, outcome]),
    [['twice', 'passed']],
  );
});

test('of what is drawn, the shape and type count', async () => {
  const b = modelBuilder({ opset: 21 });
  b.output('y', b.op('RandomNormalLike', [b.input('x', 'float32', [3])]), 'float32', [3]);
  const x = f32([3], [0, 0, 0]);
  assert.is((await only(caseFiles('test_drawn', b.toBytes(), [x], [f32([3], [9, 9, 9])]))).outcome, 'passed');
  const { problems } = await only(caseFiles('test_drawn', b.toBytes(), [x], [f32([2], [9, 9])]));
  assert.match(problems[0]?.message ?? '', /expected float32\[2\], got float32\[3\]/);
});

/** What may befall a case, and what the report then says. */
const FATES: readonly (readonly [runtime: ConformanceRuntime, outcome: string, message: RegExp])[] = [
  [
    runtimeThat({ create: () => Promise.reject(new Error('Could not find an implementation for Relu(14)')) }),
    'refused',
    /Relu\(14\)/,
  ],
  [runtimeThat({ create: () => Promise.reject(new Error('out of luck')) }), 'failed', /^out of luck$/],
  [runtimeThat({ create: () => Promise.reject('a string') }), 'failed', /^a string$/],
  [runtimeThat({ create: () => Promise.reject(undefined) }), 'failed', /^undefined$/],
  [runtimeThat({ create: () => new Promise(() => {}) }), 'failed', /took longer than 0\.05 s/],
  [runtimeThat({ run: () => new Promise(() => {}) }), 'failed', /took longer than 0\.05 s/],
  [runtimeThat({ run: () => ({}) }), 'failed', /expected a tensor, got nothing/],
  [runtimeThat({ run: () => ({ y: 'text' }) }), 'failed', /the runtime returned \[object String\]/],
  [runtimeThat({ run: ({ y }) => ({ y: [y] }) }), 'failed', /expected a tensor, got a sequence/],
  [runtimeThat({ run: () => ({ y: f32([3], [0, Number.NaN, 2]) }) }), 'failed', /at \[1\]: expected 0, got NaN/],
  [
    runtimeThat({ run: () => ({ y: { type: 'float32', dims: [3], data: new Float32Array() } }) }),
    'failed',
    /3 elements are out of tolerance/,
  ],
  [runtimeThat({ release: () => Promise.reject(new Error('cannot be released')) }), 'failed', /cannot be released/],
];

for (const [runtime, outcome, message] of FATES)
  test(`${outcome}: ${message.source}`, async () => {
    const timeLimit = message.source.startsWith('took') ? 50 : 60_000; // Of those that end, none may be late on a busy machine.
    const { cases, totals } = await run(THREE, runtime, { timeLimit, filter: /relu$|other/ });
    assert.is(totals.cases, 2);
    for (const found of cases) {
      assert.is(found.outcome, outcome);
      assert.match(found.problems[0]?.message ?? '', message);
    }
    JSON.parse(JSON.stringify(cases));
  });

test('a session is let go of when its time is up', async () => {
  let released = 0;
  const hanging = runtimeThat({
    run: () => new Promise(() => {}),
    release: async () => void released++,
  });
  await run(ONE, hanging, { timeLimit: 20 });
  assert.is(released, 1);
});

test('a session that comes too late is let go of, and runs nothing', async () => {
  const done: string[] = [];
  const slow = runtimeThat({
    create: () => new Promise((resolve) => setTimeout(resolve, 60)),
    run: () => done.push('run'),
    release: async () => void done.push('released'),
  });
  const { outcome } = await only(ONE, slow, { timeLimit: 20 });
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert.is(outcome, 'failed');
  assert.equal(done, ['released']);
});

test('a data set without outputs has not passed', async () => {
  const { 'test_relu/test_data_set_0/output_0.pb': _, ...files } = ONE;
  const { outcome, problems } = await only(files);
  assert.is(outcome, 'failed');
  assert.equal(problems, [{ dataSet: '0', message: 'the data set has no output_0.pb' }]);
});

test('what Sardonyx does not have is refused, what is wrong with a model has failed', async () => {
  const b = modelBuilder({ opset: 21 });
  b.output('y', b.op('Frobnicate', [b.input('x', 'float32', [3])]), 'float32', [3]);
  const refused = await only(caseFiles('test_none', b.toBytes(), [f32([3], [1, 2, 3])], [f32([3], [1, 2, 3])]));
  assert.is(refused.outcome, 'refused');
  assert.equal(refused.operators, ['Frobnicate']);
  const broken = { ...ONE, 'test_relu/model.onnx': new TextEncoder().encode('no model') };
  const { outcome, operators } = await only(broken);
  assert.is(outcome, 'failed');
  assert.equal(operators, []);
  const { problems } = await only({ ...ONE, 'test_relu/test_data_set_0/input_1.pb': new Uint8Array() });
  assert.match(problems[0]?.message ?? '', /2 input files, but the model has 1 inputs/);
});

test('cases may come one after the other; a filter, tolerances, a name and progress', async () => {
  const all = await conformanceCases(Object.entries(THREE));
  async function* incoming() {
    yield* all;
  }
  const seen: string[] = [];
  const { totals, runtime, host, opsets, operators } = await runConformance(incoming(), sardonyx, {
    name: 'mine 1.2',
    filter: /relu/,
    tolerance: (name) => (name.endsWith('off') ? { absolute: 0.3 } : undefined),
    onProgress: ({ done, total, result }) => seen.push(`${done}/${total} ${result.name}`),
  });
  assert.equal(totals, { cases: 2, passed: 2, failed: 0, refused: 0 });
  assert.equal(seen, ['1/null node/test_relu', '2/null node/test_relu_off']);
  assert.is(runtime, 'mine 1.2');
  assert.is(host, `Node ${process.versions.node}`);
  assert.equal(opsets, [{ domain: 'ai.onnx', version: 21, passed: 2, failed: 0, refused: 0 }]);
  assert.equal(operators, [{ operator: 'Relu', passed: 2, failed: 0, refused: 0 }]);
});

test('runtimes say who they are', async () => {
  assert.match((await run(ONE, sardonyx)).runtime, /^sardonyx \d/);
  assert.match((await run(ONE, compatible as ConformanceRuntime)).runtime, /^sardonyx \d/);
  const web = { ...runtimeThat({}), env: { versions: { common: '9.9.8', web: '9.9.9' } } };
  assert.is((await run(ONE, web)).runtime, 'onnxruntime-web 9.9.9');
});

test('a signal stops it, in the middle of a case too', async () => {
  const early = run(ONE, sardonyx, { signal: AbortSignal.abort() });
  await expectRejection('ABORTED', /the conformance run was aborted/, early);
  const controller = new AbortController();
  const hanging = runtimeThat({ run: () => new Promise(() => setTimeout(() => controller.abort())) });
  await expectRejection('ABORTED', /was aborted/, run(ONE, hanging, { signal: controller.signal }));
});

test('wrong arguments are refused', async () => {
  for (const runtime of [undefined, {}, { InferenceSession: {}, Tensor: class {} }])
    await expectRejection('INVALID_ARGUMENT', /InferenceSession and Tensor/, runConformance([], runtime as never));
  await expectRejection(
    'INVALID_ARGUMENT',
    /timeLimit: expected a positive number of milliseconds, got 0/,
    run(ONE, sardonyx, { timeLimit: 0 }),
  );
  await expectRejection('INVALID_ARGUMENT', /options of runConformance/, run(ONE, sardonyx, 7 as never));
  await expectRejection('INVALID_ARGUMENT', /signal/, run(ONE, sardonyx, { signal: new AbortController() as never }));
});

test.run();
