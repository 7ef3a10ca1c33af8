import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Stage } from '../../src/backends/wasm/plan/stage.js';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import type { Value } from '../../src/graph/graph.js';
import type { SessionOptions } from '../../src/index.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { assertClose, numbers, randomly } from '../session/run-model.js';
import { sampled } from '../tier.js';
import { int64s } from '../values.js';
import { outputsOf, runnerOf } from './runners.js';

const test = sampled(suite('plans are moved to other sizes'), { quick: 1 / 5, ci: 1 / 3 });

type Model = ReturnType<typeof modelBuilder>;
type Inputs = readonly TensorValue[];

/** A model, and its inputs of a size. */
interface Case {
  readonly build: (b: Model) => void;
  readonly inputs: (size: number) => Inputs;
}

const x = (b: Model, dims: readonly (string | number)[] = ['n', 6]) => b.input('x', 'float32', dims);
const onlyX = (size: number) => [numbers([size, 6], size)];
/** A constant of its own each time. */
const list = (b: Model, ...values: number[]) => b.op('Constant', [], { value: int64s(values) });
const flat = (b: Model) => list(b, -1);

const CASES: Readonly<Record<string, Case>> = {
  'a chain in one place': {
    build: (b) => b.output('y', b.op('Softmax', [b.op('Exp', [b.op('Softmax', [x(b)])])])),
    inputs: onlyX,
  },
  'a product of one row or of many': {
    build: (b) =>
      b.output('y', b.op('Relu', [b.op('MatMul', [b.op('Sin', [x(b)]), b.constant('w', numbers([6, 40]))])])),
    inputs: onlyX,
  },
  'sides that broadcast in turn': {
    build: (b) =>
      b.output('y', b.op('Tanh', [b.op('CumSum', [b.op('Add', sines(b)), b.op('Constant', [], { value_int: 0 })])])),
    inputs: (size) => [numbers([size % 3 === 0 ? 1 : size, 6], 1), numbers([size % 3 === 1 ? 1 : size, 6], 2)],
  },
  'a table that alone grows': {
    build(b) {
      const r = b.op('Sin', [x(b, ['n', 'm'])]);
      const places = b.op('Range', [number(b, 0), b.op('Squeeze', [rowsOf(b, r)]), number(b, 1)]);
      const column = b.op('Unsqueeze', [b.op('Cast', [places], { to: 1 }), list(b, 1)]);
      b.output('y', b.op('Neg', [b.op('CumSum', [b.op('Mul', [r, column]), b.op('Constant', [], { value_int: 1 })])]));
    },
    inputs: (size) => [numbers([2 ** (size % 11), 2 ** (10 - (size % 11))], size)],
  },
  'a cache that grows, read by a product': {
    build(b) {
      const [past, step] = [b.input('past', 'float32', [1, 2, 'p', 4]), b.input('step', 'float32', [1, 2, 1, 4])];
      const present = b.op('Concat', [past, step], { axis: 2 });
      const scores = b.op('MatMul', [step, b.op('Transpose', [present], { perm: [0, 1, 3, 2] })]);
      b.output('present', present);
      b.output('y', b.op('MatMul', [b.op('Softmax', [scores]), present]));
      b.output('constant', b.op('Tanh', [b.op('Relu', [step])]));
    },
    inputs: (size) => [numbers([1, 2, size, 4], size), numbers([1, 2, 1, 4], 7)],
  },
  'a view into what grows, at an offset that grows': {
    build(b) {
      const r = b.op('Sin', [x(b)]);
      const half = b.op('Div', [rowsOf(b, r), list(b, 2)]);
      b.output('later', b.op('Exp', [b.op('Slice', [r, half, list(b, 1 << 30), list(b, 0)])]));
      b.output('one', b.op('Neg', [b.op('Slice', [r, half, b.op('Add', [half, list(b, 1)]), list(b, 0)])]));
      b.output('y', b.op('Cos', [r]));
    },
    inputs: onlyX,
  },
  'the last row of what grows': {
    build(b) {
      const r = b.op('Sin', [x(b)]);
      const last = b.op('Slice', [r, list(b, -1), list(b, 1 << 30), list(b, 0)]);
      b.output('last', b.op('Exp', [last]));
      b.output('y', b.op('Cos', [r]));
    },
    inputs: onlyX,
  },
  'sizes that are computed': {
    build(b) {
      const r = b.op('Sin', [x(b)]);
      const places = b.op('Range', [number(b, 0), b.op('Squeeze', [rowsOf(b, r)]), number(b, 1)]);
      const weights = b.op('Unsqueeze', [b.op('Cast', [places], { to: 1 }), list(b, 1)]);
      b.output('y', b.op('Mul', [r, weights]));
      b.output('flat', b.op('Reshape', [r, flat(b)]));
      b.output('shape', b.op('Shape', [r]));
    },
    inputs: onlyX,
  },
  'a product by what follows from sizes': {
    build(b) {
      const r = b.op('Sin', [x(b, [2, 'n'])]);
      const columns = b.op('Squeeze', [b.op('Slice', [b.op('Shape', [r]), list(b, 1), list(b, 2)])]);
      const places = b.op('Range', [number(b, 0), columns, number(b, 1)]);
      const column = b.op('Unsqueeze', [b.op('Cast', [places], { to: 1 }), list(b, 1)]);
      b.output('y', b.op('Exp', [b.op('Neg', [b.op('MatMul', [r, column])])]));
    },
    inputs: (size) => [numbers([2, size], size)],
  },
  'indices that are checked': {
    build(b) {
      const data = b.op('Exp', [x(b)]);
      b.output('y', b.op('Sqrt', [b.op('Gather', [data, b.input('at', 'int64', ['k'])])]));
    },
    inputs: (size) => [...onlyX(size), int64s(Array.from({ length: size }, (_, i) => (i * 7) % size))],
  },
  'a network that decomposes': {
    build(b) {
      const image = x(b, [1, 3, 'h', 'w']);
      const features = b.op('Conv', [image, b.constant('k', numbers([8, 3, 3, 3], 3))], { pads: [1, 1, 1, 1] });
      const smaller = b.op('AveragePool', [b.op('Relu', [features])], { kernel_shape: [2, 2], strides: [2, 2] });
      b.output(
        'y',
        b.op('Resize', [smaller, null, b.constant('by', tensor('float32', [4], [1, 1, 2, 2]))], { mode: 'linear' }),
      );
    },
    inputs: (size) => [numbers([1, 3, 2 + size, 3 + size], size)],
  },
  'what only the host computes': {
    build(b) {
      const r = b.op('Sin', [x(b)]);
      b.output('y', b.op('Neg', [b.op('CumProd', [r, b.op('Constant', [], { value_int: 0 })])]));
      b.output('det', b.op('Det', [b.op('MatMul', [b.op('Transpose', [r]), r])]));
    },
    inputs: onlyX,
  },
  'a loop over what grows': {
    build(b) {
      const r = b.op('Sin', [x(b)]);
      const body = b.subgraph('body', (inner) => {
        inner.input('i', 'int64', []);
        const going = inner.input('going', 'bool', []);
        const sum = inner.input('sum', 'float32', ['n', 6]);
        inner.output('on', inner.op('Identity', [going]));
        inner.output('more', inner.op('Add', [sum, r]));
      });
      b.output('y', b.op('Loop', [b.constant('trips', tensor('int64', [], [3n])), null, b.op('Exp', [r])], { body }));
    },
    inputs: onlyX,
  },
  'what only stages after the first read': {
    build: (b) => b.output('y', b.op('Expand', [x(b, ['n', 1]), b.input('shape', 'int64', [2])])),
    inputs: (size) => [numbers([size, 1], size), int64s([size, 700])],
  },
  'stages that follow': {
    build(b) {
      const r = b.op('Sin', [x(b)]);
      const found = b.op('NonZero', [b.op('Relu', [b.op('Reshape', [r, flat(b)])])]);
      b.output('picked', b.op('Gather', [b.op('Reshape', [b.op('Exp', [r]), flat(b)]), b.op('Squeeze', [found])]));
      b.output('y', b.op('Neg', [r]));
    },
    inputs: onlyX,
  },
};

const number = (b: Model, n: number) => b.constant(`number_${n}`, tensor('int64', [], [BigInt(n)]));
const rowsOf = (b: Model, value: Value) => b.op('Slice', [b.op('Shape', [value]), list(b, 0), list(b, 1)]);

function modelOf(build: Case['build']): Uint8Array {
  const b = modelBuilder({ opset: 26 });
  build(b);
  return b.toBytes();
}

const sines = (b: Model) => ['x', 'z'].map((name) => b.op('Sin', [b.input(name, 'float32', [`n_${name}`, 6])]));

/** Growing by one, shrinking, and at random. */
const SIZES = [
  ...Array.from({ length: 12 }, (_, i) => 3 + i),
  9,
  2,
  1,
  ...Array.from({ length: 12 }, sizeFrom(randomly(5))),
];

function sizeFrom(next: () => number) {
  return () => 1 + Math.floor(next() ** 2 * 40);
}

for (const [name, { build, inputs }] of Object.entries(CASES))
  for (const guardBytes of [0, 64])
    for (const options of [{}, { graphOptimizationLevel: 'disabled' }] as SessionOptions[])
      test(`${name}, ${JSON.stringify(options)}, ${guardBytes} guard bytes`, async () => {
        const model = modelOf(build);
        const { runner } = await runnerOf(model, options, guardBytes);
        const known = new Set<Stage>();
        let moved = 0;
        for (const size of SIZES) {
          const given = inputs(size);
          const results = outputsOf(runner, given);
          if (runner.lastStages.every((stage) => known.has(stage))) moved++;
          for (const stage of runner.lastStages) known.add(stage);
          const { runner: fresh } = await runnerOf(model, options, guardBytes);
          assertClose(results as never, outputsOf(fresh, given) as never, 1e-6, `${name}, size ${size}`);
        }
        assert.ok(moved > SIZES.length / 5, `${moved} of ${SIZES.length} runs by stages that had run before`);
        runner.release();
      });

test('a cache that grows by one is planned anew only where it outgrows its room', async () => {
  const { build, inputs } = CASES['a cache that grows, read by a product'] as Case;
  const { runner } = await runnerOf(modelOf(build));
  let planned = 0;
  for (let size = 16; size < 216; size++) {
    const last = runner.lastStages[0];
    outputsOf(runner, inputs(size));
    if (runner.lastStages[0] !== last) planned++;
  }
  assert.ok(planned <= 6, `${planned} of 200`);
});

test('what cannot be planned ahead fails when its time comes, and not before', async () => {
  const model = modelOf((b) => {
    const given = x(b);
    const row = b.op('Gather', [b.constant('table', numbers([20, 6])), b.op('Squeeze', [rowsOf(b, given)])]);
    b.output('y', b.op('Add', [b.op('Sin', [given]), row]));
  });
  const { runner } = await runnerOf(model);
  for (let size = 8; size < 20; size++) outputsOf(runner, onlyX(size));
  assert.throws(
    () => outputsOf(runner, onlyX(20)),
    ({ message }: Error) => message.includes('20'),
  );
});

test('a moved plan finds an index that is out of range', async () => {
  const { build, inputs } = CASES['indices that are checked'] as Case;
  const { runner } = await runnerOf(modelOf(build));
  for (const size of [20, 10, 15]) {
    const given = inputs(size);
    const expected = outputsOf(runner, given);
    const [x, at] = given as [TensorValue, TensorValue];
    const wrong = int64s([...Array.from(at.data as BigInt64Array, Number).slice(1), size]);
    assert.throws(
      () => outputsOf(runner, [x, wrong]),
      ({ message }: Error) => message.includes(`index ${size}`) && message.includes(`of size ${size}`),
    );
    assertClose(outputsOf(runner, given) as never, expected as never, 0, `size ${size}`);
  }
});

test('plans are kept up to a number of bytes, and give all memory back', async () => {
  for (const name of ['a cache that grows, read by a product', 'stages that follow', 'a network that decomposes']) {
    const { build, inputs } = CASES[name] as Case;
    const model = modelOf(build);
    const left = async (sizes: number) => {
      const taken: number[] = [];
      const { runner, engine, arena } = await runnerOf(model, {}, 0, 60_000);
      for (let size = 1; size <= sizes; size++) {
        outputsOf(runner, inputs(size % 60));
        taken.push(engine.regions.bytes);
      }
      runner.release();
      const most = Math.max(...taken.slice(60));
      assert.ok(sizes === 1 || most < 1.3 * Math.max(...taken.slice(0, 60)), `${name}: ${taken}`);
      return engine.regions.bytes - Math.ceil(arena.capacity / 64) * 64;
    };
    assert.is(await left(120), await left(1), name);
  }
});

test('what 500 sizes have made of their own is given back with their plans', async () => {
  const { build, inputs } = CASES['a product by what follows from sizes'] as Case;
  const { runner, engine, arena } = await runnerOf(modelOf(build), {}, 0, 60_000);
  const next = randomly(3);
  const taken = Array.from({ length: 500 }, () => {
    outputsOf(runner, inputs(1 + Math.floor(next() * 400)));
    return engine.regions.bytes - arena.capacity;
  });
  const [early, late] = [taken.slice(100, 200), taken.slice(400)].map((bytes) => Math.max(...bytes)) as [
    number,
    number,
  ];
  assert.ok(late < 1.1 * early, `${late} bytes after 500 sizes, ${early} after 200`);
});

test.run();
