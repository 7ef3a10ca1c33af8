import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { reference } from '../../src/backends/reference/index.js';
import { type ModelBuilder, modelBuilder, tensor } from '../../src/builder/index.js';
import { type Backend, InferenceSession, type SessionOptions, Tensor } from '../../src/index.js';
import { InferenceSession as WorkerSession } from '../../src/remote/worker/index.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { buildPackage } from '../built-package.js';
import { expectRejection } from '../expect-error.js';
import { newcomer } from './newcomer.js';

const test = suite('execution providers');

function modelOf(build: (b: ModelBuilder) => void): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  build(b);
  return b.toBytes();
}

/** sum(x · x) · x, and x + 1. */
const twoBranches = modelOf((b) => {
  const x = b.input('x', 'float32', ['n']);
  const sum = b.op('ReduceSum', [b.op('Mul', [x, x])], { keepdims: 0 });
  b.output('scaled', b.op('Mul', [sum, x]));
  b.output('more', b.op('Add', [x, b.constant('one', tensor('float32', [], [1]))]));
});

const RAW: SessionOptions = { graphOptimizationLevel: 'disabled' };
const X = tensor('float32', [3], [1, 2, 3]);

const numbers = (value: unknown) => [...((value as TensorValue).data as Float32Array)];
const providersIn = ({ placement }: InferenceSession) =>
  placement.map(({ operator, provider }) => `${operator} ${provider}`);

/** A backend that runs these operators by their plain definitions. */
const definitionsOf = (name: string, ...operators: string[]): Backend => ({
  name,
  supports: ({ operator }) => operators.includes(operator.name),
  compile: reference.compile,
});

test('a backend of one file runs the primitive it knows, and its results come later', async () => {
  const session = await InferenceSession.create(twoBranches, { ...RAW, executionProviders: [newcomer, 'wasm'] });
  assert.equal(providersIn(session), ['Mul wasm', 'ReduceSum newcomer', 'Mul wasm', 'Add wasm']);
  for (const factor of [1, 2]) {
    const x = tensor('float32', [3], [factor, 2 * factor, 3 * factor]);
    const { scaled, more } = await session.run({ x });
    const sum = 14 * factor ** 2;
    assert.equal(numbers(scaled), [sum * factor, 2 * sum * factor, 3 * sum * factor]);
    assert.equal(numbers(more), [factor + 1, 2 * factor + 1, 3 * factor + 1]);
  }
  await session.release();
});

test('where no provider runs a node, the session is refused, and says which', async () => {
  const created = InferenceSession.create(twoBranches, { ...RAW, executionProviders: [newcomer] });
  await expectRejection('UNSUPPORTED_OPERATOR', /Mul "Mul_0".*newcomer.*'wasm' at the end/, created);
});

test('values change hands only where backends meet', async () => {
  const compiled: string[][] = [];
  const alternate: Backend = {
    ...definitionsOf('alternate', 'Exp', 'Neg'),
    compile(graph) {
      compiled.push(graph.nodes.map(({ op }) => op));
      return reference.compile(graph);
    },
  };
  const bytes = modelOf((b) => {
    const x = b.input('x', 'float32', ['n']);
    const [e, r] = [b.op('Exp', [x]), b.op('Relu', [x])];
    const [n, s] = [b.op('Neg', [e]), b.op('Sqrt', [r])];
    b.output('y', b.op('Add', [n, s]));
  });
  const session = await InferenceSession.create(bytes, { ...RAW, executionProviders: [alternate, 'wasm'] });
  assert.equal(compiled, [['Exp', 'Neg']]);
  const { y } = await session.run({ x: X });
  for (const [i, value] of numbers(y).entries())
    assert.ok(Math.abs(value - (Math.sqrt(i + 1) - Math.exp(i + 1))) <= 1e-5 * Math.abs(value));
});

test('the kernels alone are what a session has without a list', async () => {
  for (const executionProviders of [undefined, [], ['wasm'], ['cpu']]) {
    const session = await InferenceSession.create(twoBranches, {
      ...RAW,
      ...(executionProviders && { executionProviders }),
    });
    assert.equal(new Set(session.placement.map(({ provider }) => provider)), new Set(['wasm']));
    await session.release();
    assert.equal(session.placement, []);
  }
});

test('fetches, tensors to write into, defaults and graphs without nodes', async () => {
  const bytes = modelOf((b) => {
    const x = b.input('x', 'float32', ['n']);
    const k = b.input('k', 'float32', [1], { default: tensor('float32', [1], [5]) });
    b.output('sum', b.op('Exp', [b.op('Add', [x, k])]));
    b.output('same', b.op('Identity', [x]));
  });
  const options = { ...RAW, executionProviders: [definitionsOf('own', 'Exp', 'Identity'), 'wasm'] };
  const session = await InferenceSession.create(bytes, options);
  const target = new Tensor('float32', new Float32Array(3), [3]);
  const results = await session.run({ x: X }, { sum: target });
  assert.is(results.sum, target);
  assert.equal(Object.keys(results), ['sum']);
  assert.ok(Math.abs((target.data[0] as number) - Math.exp(6)) < 1e-3);
  const { same } = await session.run({ x: X, k: tensor('float32', [1], [0]) }, ['same']);
  assert.equal(numbers(same), [1, 2, 3]);
  ((same as TensorValue).data as Float32Array).fill(0);
  assert.equal([...X.data], [1, 2, 3], 'an output has data of its own');
});

test('absent optionals, sequences and constants change hands, too', async () => {
  const tensorIn = { kind: 'tensor', element: 'float32' } as const;
  const optional = { kind: 'optional', of: tensorIn } as const;
  const bytes = modelOf((b) => {
    const given = b.input('given', optional);
    const x = b.input('x', 'float32', ['n']);
    const list = b.op('SequenceInsert', [b.op('SequenceConstruct', [x]), b.op('Neg', [x])]);
    b.output('is', b.op('OptionalHasElement', [given]));
    b.output('same', given);
    b.output('last', b.op('SequenceAt', [list, b.constant('one', tensor('int64', [], [1n]))]));
    b.output('fixed', b.constant('two', tensor('float32', [], [2])));
  });
  const own = definitionsOf('own', 'OptionalHasElement', 'SequenceInsert', 'Neg');
  const session = await InferenceSession.create(bytes, { ...RAW, executionProviders: [own, 'wasm'] });
  assert.equal(new Set(session.placement.map(({ provider }) => provider)), new Set(['own', 'wasm']));
  for (const given of [null, tensor('float32', [1], [7])]) {
    const { is, same, last, fixed } = await session.run({ given, x: X } as never);
    assert.equal(Array.from((is as TensorValue).data as Uint8Array), [given ? 1 : 0]);
    assert.equal(same === null ? null : numbers(same), given && [7]);
    assert.equal(numbers(last), [-1, -2, -3]);
    assert.equal(numbers(fixed), [2]);
  }
});

test('steps are timed, each with its provider', async () => {
  const options = { ...RAW, enableProfiling: true, executionProviders: [newcomer, 'reference'] };
  const session = await InferenceSession.create(twoBranches, options);
  await session.run({ x: X });
  assert.equal(
    session.profile.map(({ operator, provider }) => `${operator} ${provider}`).sort(),
    ['Add reference', 'Mul reference', 'Mul reference', 'ReduceSum newcomer'].sort(),
  );
});

test('a run that waits for a backend can be aborted, and the next one is whole', async () => {
  let release = () => {};
  const slow: Backend = {
    ...definitionsOf('slow', 'ReduceSum'),
    compile: () => () =>
      new Promise((resolve) => {
        release = () => resolve([tensor('float32', [], [14])]);
      }),
  };
  const session = await InferenceSession.create(twoBranches, { ...RAW, executionProviders: [slow, 'wasm'] });
  const controller = new AbortController();
  const aborted = session.run({ x: X }, { signal: controller.signal });
  await new Promise((resolve) => setTimeout(resolve));
  controller.abort();
  await expectRejection('ABORTED', /aborted/, aborted);
  const whole = session.run({ x: X });
  await new Promise((resolve) => setTimeout(resolve));
  release();
  assert.equal(numbers((await whole).scaled), [14, 28, 42]);
});

test('what a backend does wrong is said, and the session goes on', async () => {
  const wrongs: readonly [Backend['compile'], RegExp][] = [
    [() => () => [], /"wrong" returned 0 outputs, not 1/],
    [() => async () => [], /"wrong" returned 0 outputs, not 1/],
    [() => () => [{ sum: 14 } as never], /"wrong" returned no value for/],
    [() => () => [tensor('int32', [], [14])], /"wrong" returned int32\[\] for .*float32/],
  ];
  for (const [compile, said] of wrongs) {
    const wrong: Backend = { ...definitionsOf('wrong', 'ReduceSum'), compile };
    const session = await InferenceSession.create(twoBranches, { ...RAW, executionProviders: [wrong, 'wasm'] });
    await expectRejection('INVALID_ARGUMENT', said, session.run({ x: X }, ['scaled']));
    const { more } = await session.run({ x: X }, ['more']);
    assert.equal(numbers(more), [2, 3, 4]);
    await session.release();
  }
});

test('a rejected promise fails the run with its own error', async () => {
  const broken: Backend = {
    ...definitionsOf('broken', 'ReduceSum'),
    compile: () => async () => {
      throw new Error('the device is lost');
    },
  };
  const session = await InferenceSession.create(twoBranches, { ...RAW, executionProviders: [broken, 'wasm'] });
  const error = await session.run({ x: X }).catch((thrown) => thrown);
  assert.match(String(error), /the device is lost/);
});

test('nodes with subgraphs go to who runs the whole of them', async () => {
  const bytes = modelOf((b) => {
    const x = b.input('x', 'float32', [3]);
    const condition = b.op('Greater', [
      b.op('ReduceSum', [x], { keepdims: 0 }),
      b.constant('zero', tensor('float32', [], [0])),
    ]);
    const branch = (op: string) => b.subgraph(op, (g) => g.output(`${op}_y`, g.op(op, [x])));
    b.output('y', b.op('If', [condition], { then_branch: branch('Neg'), else_branch: branch('Abs') }));
  });
  const session = await InferenceSession.create(bytes, { ...RAW, executionProviders: [newcomer, 'wasm'] });
  assert.equal(numbers((await session.run({ x: X })).y), [-1, -2, -3]);
  assert.equal(numbers((await session.run({ x: tensor('float32', [3], [-1, -2, -3]) })).y), [1, 2, 3]);
});

test('a list that is none, or of names that only onnxruntime knows, leaves the kernels', async () => {
  for (const executionProviders of ['wasm', null, { name: 'wasm' }, ['sardonyx'], [null]]) {
    const session = await InferenceSession.create(twoBranches, { ...RAW, executionProviders } as never);
    assert.is(session.placement[0]?.provider, 'wasm');
    await session.release();
  }
});

test('a worker has the providers that have a name', async () => {
  buildPackage();
  const refused = WorkerSession.create(twoBranches, { executionProviders: [newcomer] });
  await expectRejection('INVALID_ARGUMENT', /"newcomer" cannot be sent to a worker/, refused);
  const session = await WorkerSession.create(twoBranches, { ...RAW, executionProviders: ['reference'] });
  assert.is(session.placement[0]?.provider, 'reference');
  assert.equal(numbers((await session.run({ x: X })).scaled), [14, 28, 42]);
  await session.release();
});

test.run();
