import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Siblings } from '../../src/backends/wasm/plan/siblings.js';
import { isBase } from '../../src/backends/wasm/plan/stage.js';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import type { Value } from '../../src/graph/graph.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { assertClose, numbers } from '../session/run-model.js';
import { int64s } from '../values.js';
import { outputsOf, runnerOf } from './runners.js';

const test = suite('nodes that come to what their siblings come to');

type Model = ReturnType<typeof modelBuilder>;

/** Nodes of one operator, the inputs for sizes, and which of them are one family at size 5. */
interface Case {
  readonly build: (b: Model) => void;
  readonly inputs: (size: number) => readonly TensorValue[];
  readonly operator: string;
  readonly families: readonly number[];
}

const rows = (b: Model, name: string, dims: readonly (string | number)[] = [`n_${name}`, 6]) =>
  b.input(name, 'float32', dims);
const both = (b: Model) => [rows(b, 'a'), rows(b, 'b')] as const;
const list = (b: Model, ...values: number[]) => b.op('Constant', [], { value: int64s(values) });
const give = (b: Model, ...values: Value[]) => {
  for (const [i, value] of values.entries()) b.output(`y${i}`, value);
};
const tail = (b: Model, value: Value) => b.op('CumSum', [value, b.op('Constant', [], { value_int: 0 })]);
const alike = (size: number) => [numbers([size, 6], 1), numbers([size, 6], 2)];

const CASES: Readonly<Record<string, Case>> = {
  'two caches': {
    build(b) {
      const one = numbers([1, 6], 3);
      give(b, ...both(b).map((past, i) => tail(b, b.op('Concat', [past, b.constant(`c${i}`, one)], { axis: 0 }))));
    },
    inputs: alike,
    operator: 'CumSum',
    families: [0, 0],
  },
  'two caches, of which one begins to grow': {
    build: (b) => give(b, ...both(b).map((past) => tail(b, b.op('Sin', [past])))),
    inputs: (size) => [numbers([size, 6], 1), numbers([5, 6], 2)],
    operator: 'CumSum',
    families: [0, 0],
  },
  'two caches, of which one grows and one shrinks': {
    build: (b) => give(b, ...both(b).map((past) => tail(b, b.op('Sin', [past])))),
    inputs: (size) => [numbers([size, 6], 1), numbers([Math.max(1, 10 - size), 6], 2)],
    operator: 'CumSum',
    families: [0, 0],
  },
  'another attribute': {
    build: (b) => give(b, ...both(b).map((x, axis) => b.op('Softmax', [b.op('Sin', [x])], { axis }))),
    inputs: alike,
    operator: 'Softmax',
    families: [0, 1],
  },
  'another element type': {
    build(b) {
      const [x] = [rows(b, 'a')];
      const whole = b.op('Cast', [x], { to: 6 });
      give(b, ...[x, whole].map((value) => b.op('Transpose', [b.op('Neg', [value])], { perm: [1, 0] })));
    },
    inputs: (size) => [numbers([size, 6], 1)],
    operator: 'Transpose',
    families: [0, 1],
  },
  'one value at both inputs': {
    build(b) {
      const [x, y] = both(b).map((value) => b.op('Sin', [value])) as [Value, Value];
      const products = [b.op('Mul', [x, x]), b.op('Mul', [x, y]), b.op('Mul', [y, y])];
      give(b, ...products.map((value) => tail(b, value)), b.op('Cos', [x]), b.op('Cos', [y]));
    },
    inputs: alike,
    operator: 'Mul',
    families: [0, 1, 0],
  },
  'weights of their own': {
    build(b) {
      const [x, y] = both(b).map((value) => b.op('Sin', [value])) as [Value, Value];
      const weights = (i: number) => b.constant(`w${i}`, numbers([6, 40], i));
      give(b, b.op('MatMul', [x, weights(1)]), b.op('MatMul', [y, weights(2)]), b.op('MatMul', [x, weights(3)]));
    },
    inputs: alike,
    operator: 'MatMul',
    families: [0, 0, 0],
  },
  'products that pack what they are given': {
    build(b) {
      const turned = (value: Value) => b.op('Transpose', [b.op('Exp', [value])], { perm: [1, 0] });
      give(b, ...both(b).map((value) => b.op('MatMul', [b.op('Sin', [value]), turned(value)])));
    },
    inputs: alike,
    operator: 'MatMul',
    families: [0, 0],
  },
  'cuts that are the same at one size': {
    build(b) {
      const last = [list(b, 1 << 30), list(b, 1)] as const;
      const cut = (value: Value, from: number) => b.op('Slice', [b.op('Sin', [value]), list(b, from), ...last]);
      const [x, y] = both(b);
      give(b, ...[cut(x, 3), cut(y, -3), cut(y, 3)].map((value) => tail(b, value)));
    },
    inputs: (size) => [numbers([6, size], 1), numbers([6, size], 2)],
    operator: 'Slice',
    families: [0, 1, 0],
  },
  'a view at an offset that moves': {
    build(b) {
      const [x, y] = both(b).map((value) => b.op('Sin', [value])) as [Value, Value];
      const half = b.op('Div', [b.op('Slice', [b.op('Shape', [x]), list(b, 0), list(b, 1)]), list(b, 2)]);
      const view = (value: Value) => b.op('Slice', [value, half, list(b, 1 << 30), list(b, 0)]);
      const first = b.op('Slice', [x, list(b, 0), b.op('Sub', [half, list(b, 0)]), list(b, 0)]);
      give(b, tail(b, first), tail(b, view(x)), tail(b, view(y)), b.op('Cos', [x]), b.op('Cos', [y]));
    },
    inputs: (size) => alike(2 * size),
    operator: 'CumSum',
    families: [0, 0, 0],
  },
  'one in the place of its input': {
    build(b) {
      const [x, y] = both(b).map((value) =>
        b.op('CumSum', [b.op('Sin', [value]), b.op('Constant', [], { value_int: 0 })]),
      );
      give(b, b.op('Softmax', [x as Value]), b.op('Softmax', [y as Value]), b.op('Tanh', [y as Value]));
    },
    inputs: alike,
    operator: 'Softmax',
    families: [0, 1],
  },
  'tables, and one of other words': {
    build(b) {
      const resized = (value: Value, by: number, i: number) =>
        b.op('Resize', [value, null, b.constant(`by${i}`, tensor('float32', [2], [by, 1]))], { mode: 'linear' });
      const [x, y] = both(b).map((value) => b.op('Sin', [value])) as [Value, Value];
      give(b, resized(x, 2, 0), resized(y, 2, 1), resized(y, 1.5, 2));
    },
    inputs: alike,
    operator: 'Resize',
    families: [0, 0, 1],
  },
  'indices that are checked': {
    build(b) {
      const at = b.input('at', 'int64', ['k']);
      give(b, ...both(b).map((value) => b.op('Gather', [b.op('Sin', [value]), at])));
    },
    inputs: (size) => [int64s(Array.from({ length: size }, (_, i) => (i * 7) % size)), ...alike(size)],
    operator: 'Gather',
    families: [-1, -1],
  },
  'a loop that captures': {
    build(b) {
      const [x, y] = both(b);
      const looped = (value: Value, i: number) => {
        const body = b.subgraph(`body${i}`, (inner) => {
          inner.input('i', 'int64', []);
          inner.input('going', 'bool', []);
          const sum = inner.input('sum', 'float32', ['n', 6]);
          inner.output('on', inner.constant('yes', tensor('bool', [], [1])));
          inner.output('more', inner.op('Add', [sum, value]));
        });
        return b.op('Loop', [b.constant(`trips${i}`, tensor('int64', [], [2n])), null, b.op('Exp', [value])], { body });
      };
      give(b, looped(x, 0), looped(y, 1));
    },
    inputs: alike,
    operator: 'Loop',
    families: [-1, -1],
  },
};

const SIZES = [5, 6, 7, 8, 9, 4, 3, 12, 5, 2, 7, 20, 6];

for (const [name, { build, inputs, operator, families }] of Object.entries(CASES)) {
  const b = modelBuilder({ opset: 18 });
  build(b);
  const model = b.toBytes();

  test(`${name}: families`, async () => {
    const { runner } = await runnerOf(model, { graphOptimizationLevel: 'disabled' });
    outputsOf(runner, inputs(5));
    const [stage] = runner.lastStages;
    if (!stage || !isBase(stage)) throw new Error('it has not been planned');
    const siblings = new Siblings(stage.origin);
    const found = stage.origin.lowered
      .filter(({ node }) => node.op === operator)
      .map(({ node }) => siblings.familyOf(node));
    const eldest = [...new Set(found.filter((family) => family !== undefined))];
    assert.equal(
      found.map((family) => (family ? eldest.indexOf(family) : -1)),
      families,
    );
  });

  for (const graphOptimizationLevel of ['disabled', 'all'] as const)
    test(`${name}: bits of a fresh plan, optimized: ${graphOptimizationLevel}`, async () => {
      const { runner } = await runnerOf(model, { graphOptimizationLevel }, 64);
      let revised = 0;
      for (const size of SIZES) {
        const results = outputsOf(runner, inputs(size));
        if (runner.lastStages[0]?.origin.kind === 'revised') revised++;
        const { runner: fresh } = await runnerOf(model, { graphOptimizationLevel }, 64);
        assertClose(results as never, outputsOf(fresh, inputs(size)) as never, 0, `size ${size}`);
      }
      assert.ok(revised >= 4, `${revised} of ${SIZES.length} plans were made from others`);
      runner.release();
    });
}

test.run();
