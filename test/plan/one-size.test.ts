import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import type { Value } from '../../src/graph/graph.js';
import { InferenceSession } from '../../src/index.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { numbers, randomly } from '../session/run-model.js';
import { sampled } from '../tier.js';
import { int64s } from '../values.js';
import { outputsOf, runnerOf } from './runners.js';

type Model = ReturnType<typeof modelBuilder>;

/** A model of one size that varies, its inputs, and how many of 40 sizes are served by a stage that is there, at least. */
interface Case {
  readonly build: (b: Model) => void;
  readonly inputs: (size: number) => readonly TensorValue[];
  readonly moved: number;
}

const WIDTH = 12;

const x = (b: Model, dims: readonly (string | number)[] = ['n', WIDTH]) => b.input('x', 'float32', dims);
const rows = (size: number) => [numbers([size, WIDTH], size)];
const weights = (b: Model, name: string, dims: readonly number[]) => b.constant(name, numbers(dims, name.length));
const list = (b: Model, ...values: number[]) => b.op('Constant', [], { value: int64s(values) });

const idsOf = (size: number, most: number): TensorValue =>
  ({ ...int64s(Array.from({ length: size }, (_, i) => (i * 7) % most)), dims: [size, 1] }) as TensorValue;

const recurrent = (op: 'LSTM' | 'GRU' | 'RNN', gates: number): Case => ({
  build(b) {
    const words = b.op('Gather', [weights(b, 'words', [30, WIDTH]), b.input('ids', 'int64', ['n', 1])]);
    const [w, r] = [weights(b, 'w', [2, gates * 8, WIDTH]), weights(b, 'rr', [2, gates * 8, 8])];
    const bias = weights(b, 'b', [2, 2 * gates * 8]);
    const all = b.op(op, [words, w, r, bias], { hidden_size: 8, direction: 'bidirectional' });
    const flat = b.op('Reshape', [b.op('Transpose', [all], { perm: [0, 2, 1, 3] }), list(b, -1, 16)]);
    b.output('y', b.op('MatMul', [flat, weights(b, 'out', [16, 5])]));
  },
  inputs: (size) => [idsOf(size, 30)],
  moved: 25,
});

const CASES: Readonly<Record<string, Case>> = {
  LSTM: recurrent('LSTM', 4),
  GRU: recurrent('GRU', 3),
  RNN: recurrent('RNN', 1),
  'products so long that tiles are chosen by size': {
    build(b) {
      const wide = b.op('MatMul', [x(b), weights(b, 'up', [WIDTH, 1100])]);
      b.output('y', b.op('Tanh', [b.op('MatMul', [b.op('Sin', [wide]), weights(b, 'down', [1100, 70])])]));
    },
    inputs: rows,
    moved: 25,
  },
  'normalized rows, and what is added to them': {
    build(b) {
      const given = x(b, [1, 'n', WIDTH]);
      const normal = b.op('LayerNormalization', [given, weights(b, 'scale', [WIDTH]), weights(b, 'bb', [WIDTH])]);
      b.output('y', b.op('Add', [b.op('Mul', [normal, b.op('Sigmoid', [given])]), weights(b, 'more', [1, 1, WIDTH])]));
    },
    inputs: (size) => [numbers([1, size, WIDTH], size)],
    moved: 25,
  },
  'what attends to itself': {
    build(b) {
      const given = x(b, [1, 2, 'n', WIDTH]);
      const scores = b.op('MatMul', [given, b.op('Transpose', [given], { perm: [0, 1, 3, 2] })]);
      b.output('y', b.op('MatMul', [b.op('Softmax', [scores]), given]));
    },
    inputs: (size) => [numbers([1, 2, size, WIDTH], size)],
    moved: 25,
  },
  'rows of a table, as many as the size says': {
    build(b) {
      const given = x(b);
      const count = b.op('Gather', [b.op('Shape', [given]), b.op('Constant', [], { value_int: 0 })]);
      const [from, by] = [0, 1].map((value) => b.op('Constant', [], { value_int: value }));
      const places = b.op('Range', [from as Value, count, by as Value]);
      // So large that its rows are read where they lie.
      const found = b.op('Gather', [weights(b, 'table', [125, 400]), places]);
      b.output('y', b.op('Add', [b.op('MatMul', [found, weights(b, 'w', [400, WIDTH])]), given]));
    },
    inputs: rows,
    moved: 25,
  },
  'two inputs, of which one grows as the other shrinks': {
    build(b) {
      const both = ['a', 'b'].map((name) =>
        b.op('MatMul', [b.input(name, 'float32', [`n_${name}`, WIDTH]), weights(b, `w_${name}`, [WIDTH, 6])]),
      );
      for (const [i, y] of both.entries()) b.output(`y${i}`, b.op('Exp', [y]));
    },
    inputs: (size) => [numbers([size, WIDTH], 1), numbers([121 - size, WIDTH], 2)],
    moved: 20,
  },
  'sizes that come in fours': {
    build(b) {
      const parts = b.op('Reshape', [x(b), list(b, -1, 4, WIDTH)]);
      b.output('y', b.op('MatMul', [b.op('Exp', [parts]), weights(b, 'w', [WIDTH, 6])]));
    },
    inputs: (size) => [numbers([4 * size, WIDTH], size)],
    moved: 20,
  },
  'what is by no means even': {
    build(b) {
      const r = b.op('Sin', [x(b)]);
      b.output('y', b.op('CumSum', [r, b.op('Constant', [], { value_int: 0 })]));
    },
    inputs: rows,
    moved: 0,
  },
  'a view of the last rows': {
    build(b) {
      const r = b.op('MatMul', [x(b), weights(b, 'w', [WIDTH, 6])]);
      b.output('last', b.op('Slice', [r, list(b, -2), list(b, 1 << 30), list(b, 0)]));
      b.output('y', b.op('Exp', [r]));
    },
    inputs: rows,
    moved: 0,
  },
};

function modelOf(build: Case['build']): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  build(b);
  return b.toBytes();
}

/** Sizes of 2 to 120 at random, most of them once. */
const sizes = (count: number) => {
  const next = randomly(11);
  return Array.from({ length: count }, () => 2 + Math.floor(next() * 119));
};

const test = sampled(suite('plans are moved to another size'), { quick: 1 / 2, ci: 3 / 4 });

for (const [name, { build, inputs, moved }] of Object.entries(CASES))
  for (const guardBytes of [0, 64])
    test(`${name}: 40 sizes give the bits of plans of their own, ${guardBytes} guard bytes`, async () => {
      const model = modelOf(build);
      const { runner } = await runnerOf(model, {}, guardBytes, undefined, true);
      const { runner: planned, tracing } = await runnerOf(model, {}, guardBytes, 1);
      tracing.functions = {};
      let same = 0;
      for (const size of sizes(40)) {
        const last = runner.lastStages[0];
        for (let again = 0; again < 2; again++)
          assert.equal(outputsOf(runner, inputs(size)), outputsOf(planned, inputs(size)), `size ${size}`);
        if (runner.lastStages[0] === last) same++;
      }
      assert.ok(same >= moved, `${same} of 40 sizes by the stage of the one before`);
      runner.release();
      planned.release();
    });

test('an index out of range is told of the size that it was met at, and the next run is right', async () => {
  const build = (b: Model) => {
    const data = b.op('Exp', [x(b)]);
    b.output('y', b.op('Sqrt', [b.op('Gather', [data, b.input('at', 'int64', ['n'])])]));
  };
  const { runner } = await runnerOf(modelOf(build), {}, 0, undefined, true);
  const at = (size: number) => int64s(Array.from({ length: size }, (_, i) => (i * 7) % size));
  for (const size of sizes(12)) outputsOf(runner, [...rows(size), at(size)]);
  for (const size of [77, 31]) {
    const wrong = int64s([size, ...Array.from({ length: size - 1 }, () => 0)]);
    const stage = runner.lastStages[0];
    const expected = outputsOf(runner, [...rows(size), at(size)]);
    assert.is(runner.lastStages[0], stage, 'it is moved');
    assert.throws(
      () => outputsOf(runner, [...rows(size), wrong]),
      ({ message }: Error) => message.includes(`index ${size}`) && message.includes(`of size ${size}`),
    );
    assert.equal(outputsOf(runner, [...rows(size), at(size)]), expected);
  }
});

test('a size that a table has no row for is told when it comes', async () => {
  const { build, inputs } = CASES['rows of a table, as many as the size says'] as Case;
  const { runner } = await runnerOf(modelOf(build), {}, 0, undefined, true);
  for (const size of sizes(12)) outputsOf(runner, inputs(size));
  assert.ok(outputsOf(runner, inputs(125)));
  for (const size of [126, 130, 300])
    assert.throws(
      () => outputsOf(runner, inputs(size)),
      ({ message }: Error) => message.includes('index 125') && message.includes('of size 125'),
    );
  assert.ok(outputsOf(runner, inputs(124)));
});

test('sizes that do not fit are refused by name, and the next run is right', async () => {
  const build = (b: Model) => {
    const given = b.input('x', 'float32', ['n', 'k']);
    const product = b.op('MatMul', [given, weights(b, 'w', [WIDTH, 5])]);
    b.output('y', b.op('Add', [product, b.input('z', 'float32', ['n', 5])]));
  };
  const { runner } = await runnerOf(modelOf(build), {}, 64, undefined, true);
  const inputs = (n: number, k = WIDTH, rows = n) => [numbers([n, k], n), numbers([rows, 5], n)];
  const expected = new Map<number, unknown>();
  for (const size of [40, 20, 30, 12]) expected.set(size, outputsOf(runner, inputs(size)));
  for (const [n, k, rows] of [
    [20, WIDTH + 1, 20],
    [20, WIDTH - 4, 20],
    [20, WIDTH, 19],
  ] as const) {
    assert.throws(
      () => outputsOf(runner, inputs(n, k, rows)),
      ({ message }: Error) => /inner dims|must be/.test(message),
    );
    assert.equal(outputsOf(runner, inputs(30)), expected.get(30));
  }
});

test('tensors to write into are of the size of each run', async () => {
  const { build, inputs } = CASES.LSTM as Case;
  const { runner } = await runnerOf(modelOf(build), {}, 0, undefined, true);
  for (const size of sizes(20)) {
    const { y } = outputsOf(runner, inputs(size)) as Record<string, TensorValue>;
    const target = { type: 'float32', dims: [2 * size, 5], data: new Float32Array(size * 5) } as TensorValue;
    const own = { ...target, dims: (y as TensorValue).dims };
    runner.begin(inputs(size), undefined, [own]);
    assert.ok(runner.advance(null));
    runner.takeOutputs();
    assert.equal(own.data, (y as TensorValue).data, `size ${size}`);
  }
});

for (const intraOpNumThreads of [1, 3])
  test(`sessions: sizes at random, ${intraOpNumThreads} threads`, async () => {
    for (const name of ['LSTM', 'products so long that tiles are chosen by size']) {
      const { build, inputs } = CASES[name] as Case;
      const model = modelOf(build);
      const session = await InferenceSession.create(model, { intraOpNumThreads });
      for (const size of sizes(9)) {
        const feeds = Object.fromEntries(session.inputNames.map((name, i) => [name, inputs(size)[i]]));
        const fresh = await InferenceSession.create(model, { intraOpNumThreads: 1 });
        const expected = await fresh.run(feeds as never);
        for (let again = 0; again < 2; again++)
          assert.equal(await session.run(feeds as never), expected, `${name}, size ${size}`);
        await fresh.release();
      }
      await session.release();
    }
  });

test('memory is given back', async () => {
  const { build, inputs } = CASES.LSTM as Case;
  const left = async (count: number) => {
    const { runner, engine, arena } = await runnerOf(modelOf(build), {}, 0, 60_000, true);
    for (const size of sizes(count)) outputsOf(runner, inputs(size));
    runner.release();
    return engine.regions.bytes - Math.ceil(arena.capacity / 64) * 64;
  };
  assert.is(await left(60), await left(1));
});

test.run();
