import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SardonyxError } from '../../src/base/errors.js';
import {
  type AttributeInputs,
  type GraphBuilder,
  type ModelBuilder,
  modelBuilder,
  reference,
  tensor,
} from '../../src/builder/index.js';
import type { Value } from '../../src/graph/graph.js';
import { allNodes } from '../../src/graph/walk.js';
import { readModel } from '../../src/model/read-model.js';
import { writeModel } from '../../src/model/write-model.js';
import { prepare } from '../../src/optimize/prepare.js';
import { InferenceSession } from '../../src/session/inference-session.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { expectRejection } from '../expect-error.js';
import { STAGES } from '../ops/stages.js';

const test = suite('functions of the model');

const domain = 'local';
const vector = (...values: number[]) => tensor('float32', [values.length], values);
const call = (
  g: GraphBuilder,
  name: string,
  inputs: (Value | null)[],
  attributes: AttributeInputs = {},
  overload = '',
) => g.op(name, inputs, attributes, { domain, overload });
const numbers = (value: unknown) => [...((value as TensorValue).data as Float32Array)];

/** x·by + plus, where `by` must be given and `plus` is 1 unless given. */
function defineAffine(b: ModelBuilder): void {
  const options = {
    domain,
    name: 'Affine',
    inputs: ['a'],
    attributes: ['by'],
    defaults: { plus: { type: 'float', value: 1 } },
  } as const;
  b.function(options, (f, [a]) => {
    const by = f.op('Constant', [], { value_float: reference('by', 'float') });
    const plus = f.op('Constant', [], { value_float: reference('plus', 'float') });
    f.output('b', f.op('Add', [f.op('Mul', [a, by]), plus]));
  });
}

interface Case {
  readonly name: string;
  readonly define: (b: ModelBuilder) => void;
  readonly use: (b: ModelBuilder, x: Value, yes: Value) => Value;
  readonly expected: (x: number) => number;
}

const float = (value: number) => ({ type: 'float', value }) as const;

const cases: Case[] = [
  {
    name: 'attributes, given and by default',
    define: defineAffine,
    use: (b, x) => call(b, 'Affine', [call(b, 'Affine', [x], { by: float(2) })], { by: float(3), plus: float(-1) }),
    expected: (x) => (2 * x + 1) * 3 - 1,
  },
  {
    name: 'calls of functions in functions hand attributes on',
    define(b) {
      defineAffine(b);
      b.function({ domain, name: 'Twice', inputs: ['a'], attributes: ['factor'] }, (f, [a]) => {
        const once = call(f, 'Affine', [a], { by: reference('factor', 'float') });
        f.output('b', call(f, 'Affine', [once], { by: reference('factor', 'float') }));
      });
    },
    use: (b, x) => call(b, 'Twice', [x], { factor: float(5) }),
    expected: (x) => (5 * x + 1) * 5 + 1,
  },
  {
    name: 'overloads',
    define(b) {
      b.function({ domain, name: 'F', inputs: ['a'] }, (f, [a]) => void f.output('b', f.op('Neg', [a])));
      b.function(
        { domain, name: 'F', inputs: ['a'], overload: 'abs' },
        (f, [a]) => void f.output('b', f.op('Abs', [a])),
      );
    },
    use: (b, x) => b.op('Sub', [call(b, 'F', [x], {}, 'abs'), call(b, 'F', [x])]),
    expected: (x) => Math.abs(x) + x,
  },
  {
    name: 'an attribute that nobody gives is left to the operator',
    define(b) {
      b.function({ domain, name: 'Leaky', inputs: ['a'], attributes: ['alpha'] }, (f, [a]) => {
        f.output('b', f.op('LeakyRelu', [a], { alpha: reference('alpha', 'float') }));
      });
    },
    use: (b, x) => b.op('Add', [call(b, 'Leaky', [x]), call(b, 'Leaky', [x], { alpha: float(0.5) })]),
    expected: (x) => (x < 0 ? 0.01 * x + 0.5 * x : 2 * x),
  },
  {
    name: 'an optional input left out by the call',
    define(b) {
      b.function({ domain, name: 'Clamp', inputs: ['a', 'low', 'high'] }, (f, [a, low, high]) => {
        f.output('b', f.op('Clip', [a, low, high]));
      });
    },
    use: (b, x) => {
      const zero = b.constant('zero', tensor('float32', [], [0]));
      return b.op('Add', [call(b, 'Clamp', [x, zero]), call(b, 'Clamp', [x, null, zero])]);
    },
    expected: (x) => x,
  },
  {
    name: 'subgraphs in the body capture its values, also those of the call',
    define(b) {
      b.function({ domain, name: 'Choose', inputs: ['a', 'c'] }, (f, [a, c]) => {
        const doubled = f.op('Add', [a, a]);
        const then_branch = f.subgraph('then', (g) => void g.output('o', g.op('Mul', [doubled, a])));
        const else_branch = f.subgraph('else', (g) => void g.output('o', g.op('Identity', [a])));
        f.output('b', f.op('If', [c], { then_branch, else_branch }));
      });
    },
    use: (b, x, yes) => b.op('Sub', [call(b, 'Choose', [x, yes]), call(b, 'Choose', [x, b.op('Not', [yes])])]),
    expected: (x) => 2 * x * x - x,
  },
  {
    name: 'a call inside a subgraph',
    define: defineAffine,
    use(b, x, yes) {
      const then_branch = b.subgraph('then', (g) => void g.output('o', call(g, 'Affine', [x], { by: float(4) })));
      const else_branch = b.subgraph('else', (g) => void g.output('o', g.op('Identity', [x])));
      return b.op('If', [yes], { then_branch, else_branch });
    },
    expected: (x) => 4 * x + 1,
  },
  {
    name: 'an input as output, and one value as two outputs',
    define(b) {
      b.function({ domain, name: 'Pass', inputs: ['a'] }, (f, [a]) => {
        f.output('same', a);
        f.output('negative', f.op('Neg', [a]));
      });
    },
    use(b, x) {
      const [same, negative] = b.node('Pass', [x], {}, { domain, outputs: 2 });
      return b.op('Sub', [same, negative]);
    },
    expected: (x) => 2 * x,
  },
  {
    name: 'an output that the call leaves out',
    define(b) {
      b.function({ domain, name: 'Both', inputs: ['a'] }, (f, [a]) => {
        f.output('first', f.op('Exp', [a]));
        f.output('second', f.op('Abs', [a]));
      });
    },
    use: (b, x) => b.node('Both', [x], {}, { domain, outputs: [null, 'abs'] as const })[1],
    expected: Math.abs,
  },
  {
    name: 'a function that hides an operator',
    define: (b) =>
      void b.function({ domain: '', name: 'Relu', inputs: ['a'] }, (f, [a]) => void f.output('b', f.op('Neg', [a]))),
    use: (b, x) => b.op('Relu', [x]),
    expected: (x) => -x,
  },
];

const built = ({ define, use }: Pick<Case, 'define' | 'use'>): ModelBuilder => {
  const b = modelBuilder({ opset: 21, opsets: { [domain]: 1 } });
  const x = b.input('x', 'float32', ['n']);
  const yes = b.input('yes', 'bool', []);
  define(b);
  b.output('y', use(b, x, yes));
  return b;
};

for (const wanted of cases) {
  test(wanted.name, async () => {
    for (const [stage, options] of Object.entries(STAGES)) {
      const session = await InferenceSession.create(built(wanted).toBytes(), options);
      const { y } = await session.run({ x: vector(-2, 3), yes: tensor('bool', [], [1]) });
      for (const [i, x] of [-2, 3].entries()) {
        assert.ok(Math.abs((numbers(y)[i] as number) - wanted.expected(x)) < 1e-5, `${stage}: ${numbers(y)}`);
      }
    }
  });
}

test('the nodes of a function are of the versions that it imports', async () => {
  const b = built({
    define: (m) =>
      void m.function({ domain, name: 'Total', inputs: ['a'] }, (f, [a]) => {
        f.output('b', f.op('ReduceSum', [a], { axes: [0], keepdims: 1 }));
      }),
    use: (m, x) => m.op('ReduceSum', [call(m, 'Total', [x]), m.constant('axes', tensor('int64', [1], [0]))]),
  });
  const model = b.toModel();
  for (const { opsets } of model.functions) (opsets as Map<string, number>).set('', 11);
  for (const options of Object.values(STAGES)) {
    const session = await InferenceSession.create(writeModel(model), options);
    const { y } = await session.run({ x: vector(1, 2), yes: tensor('bool', [], [1]) });
    assert.equal(numbers(y), [3]);
  }
});

test('graphs among the default attributes are of the versions that the function imports, too', async () => {
  const b = built({
    define: (m) => {
      const body = m.subgraph('total', (g) => {
        const ones = g.op('Constant', [], { value: tensor('float32', [2], [1, 2]) });
        g.output('sum', g.op('ReduceSum', [ones], { axes: [0], keepdims: 1 }));
      });
      const defaults = { body: { type: 'graph', value: body } } as const;
      m.function({ domain, name: 'Either', inputs: ['c'], defaults }, (f, [c]) => {
        const branch = reference('body', 'graph');
        f.output('b', f.op('If', [c], { then_branch: branch, else_branch: branch }));
      });
    },
    use: (m, x, yes) => m.op('Add', [x, call(m, 'Either', [yes])]),
  });
  const model = b.toModel();
  for (const { opsets } of model.functions) (opsets as Map<string, number>).set('', 11);
  for (const options of Object.values(STAGES)) {
    const session = await InferenceSession.create(writeModel(model), options);
    const { y } = await session.run({ x: vector(1, 2), yes: tensor('bool', [], [1]) });
    assert.equal(numbers(y), [4, 5]);
  }
});

test('two functions whose names read alike are two', async () => {
  const named = (m: ModelBuilder, [of, name, overload]: readonly [string, string, string], op: string) =>
    void m.function({ domain: of, name, overload, inputs: ['a'] }, (f, [a]) => void f.output('b', f.op(op, [a])));
  const b = built({
    define: (m) => {
      named(m, ['a.b', 'c', ''], 'Neg');
      named(m, ['a', 'b', 'c'], 'Exp');
    },
    use: (m, x) => m.op('c', [x], {}, { domain: 'a.b' }),
  });
  const session = await InferenceSession.create(b.toBytes());
  const { y } = await session.run({ x: vector(1, 2), yes: tensor('bool', [], [1]) });
  assert.equal(numbers(y), [-1, -2]);
});

test('every call has names of its own', async () => {
  const [{ define, use }] = cases as [Case];
  const { graph } = await prepare(readModel(built({ define, use }).toBytes()), { graphOptimizationLevel: 'disabled' });
  const names = [...allNodes(graph)].flatMap((node) => node.outputs.map((value) => value?.name));
  assert.is(new Set(names).size, names.length, names.join(' '));
  const nodes = graph.nodes.map(({ name }) => name);
  assert.is(new Set(nodes).size, nodes.length, nodes.join(' '));
});

test('a function that calls itself, or too many inputs, are refused', async () => {
  const wrong: Pick<Case, 'define' | 'use'>[] = [
    {
      define: (b) =>
        void b.function({ domain, name: 'F', inputs: ['a'] }, (f, [a]) => void f.output('b', call(f, 'F', [a]))),
      use: (b, x) => call(b, 'F', [x]),
    },
    { define: defineAffine, use: (b, x) => call(b, 'Affine', [x, x], { by: float(1) }) },
  ];
  for (const model of wrong) {
    const error = await InferenceSession.create(built(model).toBytes()).catch((reason: unknown) => reason);
    assert.instance(error, SardonyxError);
    assert.is((error as SardonyxError).code, 'INVALID_MODEL', (error as SardonyxError).message);
  }
});

/** Functions that call the one before, or the one after, as the file has them. */
const chain = (length: number, isReversed: boolean): Pick<Case, 'define' | 'use'> => ({
  define(b) {
    const order = Array.from({ length }, (_, i) => (isReversed ? length - 1 - i : i));
    for (const i of order)
      b.function({ domain, name: `F${i}`, inputs: ['a'] }, (f, [a]) => {
        f.output('b', i === 0 ? f.op('Neg', [a]) : call(f, `F${i - 1}`, [a]));
      });
  },
  use: (b, x) => call(b, `F${length - 1}`, [x]),
});

test('calls within calls go to a depth that is stated', async () => {
  const yes = tensor('bool', [], [1]);
  for (const isReversed of [false, true]) {
    const session = await InferenceSession.create(built(chain(256, isReversed)).toBytes());
    assert.equal(numbers((await session.run({ x: vector(1, 2), yes })).y), [-1, -2]);
    for (const length of [257, 5000]) {
      const model = built(chain(length, isReversed)).toBytes();
      await expectRejection('INVALID_MODEL', /nested more than 256 calls deep/, InferenceSession.create(model));
    }
  }
});

/** Functions that call the one before twice: 2^depth negations. */
const doubling = (depth: number): Pick<Case, 'define' | 'use'> => ({
  define(b) {
    for (let i = 0; i <= depth; i++)
      b.function({ domain, name: `F${i}`, inputs: ['a'] }, (f, [a]) => {
        const twice = (value: Value) => call(f, `F${i - 1}`, [call(f, `F${i - 1}`, [value])]);
        f.output('b', i === 0 ? f.op('Neg', [a]) : twice(a));
      });
  },
  use: (b, x) => call(b, `F${depth}`, [x]),
});

test('calls that stand for a million nodes are refused before they are inlined', async () => {
  const yes = tensor('bool', [], [1]);
  const session = await InferenceSession.create(built(doubling(10)).toBytes());
  assert.equal(numbers((await session.run({ x: vector(1, 2), yes })).y), [1, 2]);
  const error = await InferenceSession.create(built(doubling(30)).toBytes()).catch((reason: unknown) => reason);
  assert.is((error as SardonyxError).code, 'LIMIT');
  assert.match(
    (error as SardonyxError).message,
    /local\.F30 ".*": with subgraphs and the bodies of functions, the model has 1,073,741,824 nodes and more; the limit is 262,144/,
  );
});

test.run();
