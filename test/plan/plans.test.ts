import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createEngine } from '../../bindings/engine.js';
import { GraphRunner } from '../../src/backends/wasm/execute/graph-runner.js';
import { kernelModule } from '../../src/backends/wasm/kernels.js';
import { Arena } from '../../src/backends/wasm/plan/arena.js';
import * as functions from '../../src/backends/wasm/plan/tracing.js';
import { Weights } from '../../src/backends/wasm/plan/weights.js';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import { constantsOf } from '../../src/graph/walk.js';
import type { SessionOptions } from '../../src/index.js';
import { readModel } from '../../src/model/read-model.js';
import { prepare } from '../../src/optimize/prepare.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { type Build, modelOf, numbers, open } from '../session/run-model.js';
import { f32, int64s } from '../values.js';

const test = suite('plans');

const RAW: SessionOptions = { graphOptimizationLevel: 'disabled' };
const dataOf = (value: unknown) => [...((value as TensorValue).data as Float32Array)];

async function runnerOf(model: Uint8Array, options: SessionOptions = {}) {
  const { graph } = await prepare(readModel(model), options);
  const engine = createEngine(await kernelModule());
  const weights = new Weights(engine, constantsOf(graph));
  const tracing = { functions, isWanted: false };
  const runner = new GraphRunner(
    { engine, arena: new Arena(engine), weights, guardBytes: 0, guards: null, tracing, timing: {} },
    graph,
  );
  return { engine, runner };
}

function run(runner: GraphRunner, inputs: readonly TensorValue[]): void {
  runner.begin(inputs);
  assert.ok(runner.advance(null));
}

const network: Build = (b, x) => {
  const y = b.op('Relu', [b.op('MatMul', [x, b.constant('w', numbers([4, 6]))])]);
  b.output('y', b.op('Add', [b.op('Softmax', [y]), y]));
};

test('a second run with the same shapes plans nothing', async () => {
  const { runner, engine } = await runnerOf(modelOf(network, ['n', 4]));
  run(runner, [numbers([3, 4])]);
  const [stage] = runner.lastStages;
  const bytes = engine.regions.bytes;
  for (let round = 0; round < 5; round++) {
    run(runner, [numbers([3, 4], round)]);
    assert.is(runner.lastStages[0], stage);
  }
  run(runner, [numbers([5, 4])]);
  assert.is.not(runner.lastStages[0], stage);
  run(runner, [numbers([3, 4])]);
  assert.is(runner.lastStages[0], stage, 'the plan of the earlier shape is kept');
  assert.ok(engine.regions.bytes > bytes);
});

for (const options of [{}, RAW]) {
  test(`plans that are dropped give their memory back, ${JSON.stringify(options)}`, async () => {
    const build: Build = (b, x) => {
      const w = b.op('Transpose', [b.constant('w', numbers([6, 4]))]);
      b.output('y', b.op('Gemm', [x, w, b.constant('c', numbers([6]))], { beta: 0.5 }));
    };
    const { runner, engine } = await runnerOf(modelOf(build, ['n', 4]), options);
    const sizes = Array.from({ length: 120 }, (_, i) => 1 + (i % 60));
    let settled = 0;
    for (const [i, n] of sizes.entries()) {
      run(runner, [numbers([n, 4])]);
      if (i === 59) settled = engine.regions.bytes;
    }
    assert.is(engine.regions.bytes, settled, 'the same plans are kept as after the first 60 shapes');
    runner.release();
  });
}

test('the plan used last is dropped last', async () => {
  const { runner } = await runnerOf(modelOf(network, ['n', 4]));
  run(runner, [numbers([1, 4])]);
  const [often] = runner.lastStages;
  for (let n = 2; n < 100; n++) {
    run(runner, [numbers([n, 4])]);
    run(runner, [numbers([1, 4])]);
    assert.is(runner.lastStages[0], often);
  }
});

test('plans made before the arena grew still run', async () => {
  const model = modelOf(network, ['n', 4]);
  const session = await open(model);
  const fresh = async (n: number) => dataOf((await (await open(model)).run({ x: numbers([n, 4]) })).y);
  for (const n of [1, 3, 5000, 3, 1, 20000, 5000, 3])
    assert.equal(dataOf((await session.run({ x: numbers([n, 4]) })).y), await fresh(n), `n=${n}`);
});

/** Each: what must not be overwritten by whom. */
const SHARING: Readonly<Record<string, Build>> = {
  'a row of the sum, which spreads over it': (b, x) => {
    const r = b.op('Relu', [x]);
    const [row] = b.node('Split', [r], { axis: 0, num_outputs: 2 }, { outputs: 2 });
    b.output('y', b.op('Sub', [r, row]));
  },
  'a view that is read later': (b, x) => {
    const r = b.op('Sin', [x]);
    const view = b.op('Reshape', [r, b.constant('s', int64s([-1]))]);
    b.output('y', b.op('Neg', [b.op('Exp', [r])]));
    b.output('z', b.op('Cos', [view]));
  },
  'an output that is a view': (b, x) => {
    const r = b.op('Sin', [x]);
    b.output('v', b.op('Reshape', [r, b.constant('s', int64s([-1]))]));
    b.output('y', b.op('Exp', [r]));
  },
  'the feed itself': (b, x) => {
    b.output('y', b.op('Exp', [x]));
    b.output('x2', b.op('Identity', [x]));
  },
};

const COLUMNS = 3000;

for (const [name, build] of Object.entries(SHARING)) {
  test(`no step overwrites ${name}`, async () => {
    const model = modelOf(build, [2, COLUMNS]);
    const x = numbers([2, COLUMNS]);
    const inputs = x.data as Float32Array;
    const positive = (i: number) => Math.max(0, inputs[i] as number);
    const sum: Record<string, (x: number, i: number) => number> = {
      'a row of the sum, which spreads over it': (_, i) => positive(i) - positive(i % COLUMNS),
      'a view that is read later': (x) => -Math.exp(Math.sin(x)),
      'an output that is a view': (x) => Math.exp(Math.sin(x)),
      'the feed itself': Math.exp,
    };
    const expected = { y: sum[name], z: (x: number) => Math.cos(Math.sin(x)), v: Math.sin, x2: (x: number) => x };
    for (const options of [RAW, { maxRewrites: 0 }, {}, { guardBytes: 64 }]) {
      const results = await (await open(model, options)).run({ x });
      for (const [output, value] of Object.entries(results)) {
        const of = expected[output as 'y'] as (x: number, i: number) => number;
        const off = dataOf(value).findIndex((y, i) => !(Math.abs(y - of(inputs[i] as number, i)) < 1e-5));
        assert.is(off, -1, `${output}[${off}]`);
      }
    }
  });
}

/** A model in three stages; r and a view of it are read on both sides of each border. */
function staged(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const [x, shape] = [b.input('x', 'float32', ['n', 6]), b.input('shape', 'int64', ['r'])];
  const r = b.op('Sin', [x]);
  const view = b.op('Reshape', [r, b.constant('flat', int64s([-1]))]);
  const shaped = b.op('Reshape', [r, shape]);
  const changed = b.op('Exp', [r]);
  const found = b.op('NonZero', [b.op('Relu', [view])]);
  const count = b.op('Shape', [found]);
  const picked = b.op('Gather', [view, b.op('Squeeze', [found])]);
  const sum = b.op('ReduceSum', [b.op('Mul', [shaped, shaped])], { keepdims: 0 });
  b.output('raised', b.op('Add', [r, sum]));
  b.output('scaled', b.op('Mul', [view, sum]));
  b.output('shaped', shaped);
  b.output('changed', changed);
  b.output('picked', b.op('Neg', [picked]));
  b.output('count', count);
  return b.toBytes();
}

for (const options of [RAW, {}, { guardBytes: 64 }, { ...RAW, guardBytes: 64 }] as SessionOptions[]) {
  test(`plans in stages keep what later stages read, ${JSON.stringify(options)}`, async () => {
    const session = await open(staged(), options);
    for (const [n, dims] of [
      [2, [3, 4]],
      [300, [1800]],
      [2, [3, 4]],
      [2, [12, 1]],
      [5, [5, 2, 3]],
      [2, [3, 4]],
    ] as const) {
      const x = numbers([n, 6], n);
      const results = await session.run({ x, shape: int64s(dims) });
      const sines = [...(x.data as Float32Array)].map(Math.sin);
      const near = (name: string, wanted: number[]) => {
        const actual = dataOf(results[name]);
        assert.is(actual.length, wanted.length, name);
        actual.forEach((a, i) => {
          assert.ok(
            Math.abs(a - (wanted[i] as number)) < 1e-5 * Math.max(1, sum),
            `${name}[${i}], n=${n}: ${a}, not ${wanted[i]}`,
          );
        });
      };
      const sum = sines.reduce((total, s) => total + s * s, 0);
      near(
        'raised',
        sines.map((s) => s + sum),
      );
      near(
        'scaled',
        sines.map((s) => s * sum),
      );
      near('shaped', sines);
      near('changed', sines.map(Math.exp));
      near(
        'picked',
        sines.filter((s) => s > 0).map((s) => -s),
      );
      assert.equal((results.shaped as TensorValue).dims, dims);
      assert.equal(dataOf(results.count).map(Number), [1, sines.filter((s) => s > 0).length]);
    }
  });
}

for (const options of [RAW, {}] as SessionOptions[]) {
  test(`a computed condition chooses a branch, ${JSON.stringify(options)}`, async () => {
    const b = modelBuilder({ opset: 21 });
    const x = b.input('x', 'float32', ['n']);
    const k = b.input('k', 'float32', [1], { default: f32([1], [3]) });
    const doubled = b.op('Add', [x, x]);
    const condition = b.op('Greater', [
      b.op('ReduceSum', [x], { keepdims: 0 }),
      b.constant('zero', tensor('float32', [], [0])),
    ]);
    const branch = (name: string, op: string) =>
      b.subgraph(name, (inner) => inner.output(`${name}_y`, inner.op(op, [doubled, k])));
    b.output('y', b.op('If', [condition], { then_branch: branch('then', 'Mul'), else_branch: branch('else', 'Sub') }));
    const session = await open(b.toBytes(), options);
    const run = async (values: number[], feeds = {}) =>
      dataOf((await session.run({ x: f32([values.length], values), ...feeds })).y);
    for (let round = 0; round < 2; round++) {
      assert.equal(await run([1, 2]), [6, 12]);
      assert.equal(await run([-1, -2]), [-5, -7]);
      assert.equal(await run([1, 2], { k: f32([1], [10]) }), [20, 40]);
      assert.equal(await run([-1, 0, 0], { k: f32([1], [1]) }), [-3, -1, -1]);
    }
  });
}

test.run();
