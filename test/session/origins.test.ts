import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ModelProto, NodeProto } from '../../build/onnx.js';
import { type GraphBuilder, type ModelBuilder, modelBuilder } from '../../src/builder/index.js';
import type { Value } from '../../src/graph/graph.js';
import { InferenceSession, type SessionOptions, type StepTiming } from '../../src/index.js';
import { readModel } from '../../src/model/read-model.js';
import { innerValues } from '../../src/optimize/extra-outputs.js';
import { type HostValue, isTensorValue, type TensorValue } from '../../src/tensor/tensor-value.js';
import { backendTests, casesOf } from '../conformance/suite.js';
import { firstDataSet, type Values } from '../first-data-set.js';
import { sampled } from '../tier.js';
import { networks, readProto } from '../toolkit/check/models.js';
import { f32 } from '../values.js';
import { nodesOfFile } from './nodes-of-file.js';

const test = sampled(suite("the model's nodes that steps come from"), { quick: 1 / 12, ci: 1 / 4 });

async function stepsOf(bytes: Uint8Array, feeds: Values, options: SessionOptions = {}): Promise<readonly StepTiming[]> {
  await using session = await InferenceSession.create(bytes, { ...options, enableProfiling: true });
  await session.run(feeds);
  return session.profile;
}

/** Every value that the nodes of the main graph compute, run as the model says it. */
async function allValues(bytes: Uint8Array, feeds: Values): Promise<Values> {
  const extraOutputs = innerValues(readModel(bytes).graph).map(({ name }) => name);
  await using session = await InferenceSession.create(bytes, { graphOptimizationLevel: 'disabled', extraOutputs });
  return { ...feeds, ...(await session.run(feeds)) };
}

const entries = (value: HostValue | undefined): string =>
  value && isTensorValue(value) ? Array.from(value.data as ArrayLike<unknown>, String).join() : JSON.stringify(value);

function isSame(a: HostValue | undefined, b: HostValue | undefined): boolean {
  if (!a || !b || !isTensorValue(a) || !isTensorValue(b)) return entries(a) === entries(b);
  const [one, other] = [a.data as ArrayLike<unknown>, b.data as ArrayLike<unknown>];
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i++) if (!Object.is(one[i], other[i])) return false;
  return true;
}

const sorted = (value: HostValue | undefined): string => entries(value).split(',').sort().join();

/** Other numbers of the same range: the same ones in another order. */
const reversed = (feeds: Values): Values =>
  Object.fromEntries(
    Object.entries(feeds).map(([name, value]) => [
      name,
      isTensorValue(value) && !Array.isArray(value.data)
        ? ({ ...value, data: value.data.slice().reverse() } as TensorValue)
        : value,
    ]),
  );

/** Values that are the same whatever is fed, and those that follow from shapes and from such alone. */
function settledIn(nodes: Iterable<NodeProto>, first: Values, second: Values): ReadonlySet<string> {
  const settled = new Set(Object.keys(first).filter((name) => isSame(first[name], second[name])));
  for (const { opType, input, output } of nodes)
    if (
      /^(Shape|Size)$/.test(opType) ||
      (input.length > 0 && input.every((name) => !(name in first) || settled.has(name)))
    )
      for (const name of output) settled.add(name);
  return settled;
}

/** Whether a result has the numbers of an operand: all in some order, or a part of them as they lie. */
const isPartOf = (result: HostValue | undefined, operand: HostValue | undefined): boolean =>
  sorted(result) === sorted(operand) || `,${entries(operand)},`.includes(`,${entries(result)},`);

const readIn = ({ graph }: ModelProto, nodes: Iterable<NodeProto>): ReadonlySet<string> =>
  new Set([...(graph?.output ?? []).map(({ name }) => name), ...[...nodes].flatMap(({ input }) => input)]);

for (const path of networks())
  test(`${basename(dirname(path))}: a node of the file is one of some step, or does no work`, async () => {
    const [bytes, proto] = [readFileSync(path), readProto(path)];
    const nodes = nodesOfFile(proto);
    const feeds = firstDataSet(path, proto, 'input');
    const steps = await stepsOf(bytes, feeds);
    const known = new Set(steps.flatMap(({ origins }) => origins));
    for (const { origins, node } of steps) assert.ok(origins.length > 0, `${node} has no origin`);
    for (const id of known) assert.ok(nodes.has(id), `no node ${id}`);
    const [first, second] = [await allValues(bytes, feeds), await allValues(bytes, reversed(feeds))];
    const read = readIn(proto, nodes.values());
    const settled = settledIn(nodes.values(), first, second);
    const isIdle = ({ input, output }: NodeProto) =>
      output.every((name) => {
        const moves = () => input.some((operand) => operand in first && isPartOf(first[name], first[operand]));
        return !read.has(name) || settled.has(name) || moves();
      });
    const lost = [...nodes].filter(([id, node]) => !id.includes('/') && !known.has(id) && !isIdle(node));
    assert.equal(
      lost.map(([id, { opType, output }]) => `${id} ${opType} ${output}`),
      [],
    );
  });

const root = backendTests();
const FLOW = /_(if|loop|scan|sequence_map|range)_?/;

for (const { name, folder, bytes } of casesOf(root, 'node').filter((one) => FLOW.test(one.name)))
  for (const executionProviders of [['wasm'], ['reference']])
    test(`${name} on ${executionProviders}: steps name nodes of the file`, async () => {
      const path = join(folder, 'model.onnx');
      const proto = readProto(path);
      const nodes = nodesOfFile(proto);
      const steps = await stepsOf(bytes, firstDataSet(path, proto, 'input'), { executionProviders });
      for (const { origins, node } of steps) assert.ok(origins.length > 0, `${node} has no origin`);
      for (const id of steps.flatMap(({ origins }) => origins)) assert.ok(nodes.has(id), `no node ${id}`);
    });

const x = f32([2, 3], [1, 2, 3, 4, 5, -6]);

/** Operators and origins of the steps that a model with input x takes. */
async function stepsBuilt(build: (b: ModelBuilder, x: Value) => void, options: SessionOptions = {}): Promise<string[]> {
  const b = modelBuilder({ opset: 21 });
  build(b, b.input('x', 'float32', [2, 3]));
  const steps = await stepsOf(b.toBytes(), { x }, options);
  return steps.map(({ operator, origins }) => `${operator} ${origins}`);
}

const weights = (b: GraphBuilder) => b.constant('w', f32([3, 3], [1, 2, 3, 4, 5, 6, 7, 8, 9]));
const y = (b: ModelBuilder, value: Value) => b.output('y', value, 'float32', [2, 3]);

test('what is fused has come of all its parts, by index and not by name', async () => {
  const product = (b: ModelBuilder, given: Value) =>
    y(b, b.op('Relu', [b.op('Add', [b.op('MatMul', [given, weights(b)]), b.constant('c', f32([3], [1, 2, 3]))])]));
  assert.equal(await stepsBuilt(product), ['MatMul 0,1,2']);
  assert.equal(await stepsBuilt(product, { graphOptimizationLevel: 'disabled' }), ['MatMul 0', 'Add 1', 'Relu 2']);
});

test('one node serves two that are alike', async () => {
  const steps = await stepsBuilt((b, given) => {
    const [one, other] = [0, 1].map(() => b.op('Softmax', [given])) as [Value, Value];
    y(b, b.op('MatMul', [one, weights(b)]));
    b.output('z', b.op('Sin', [other]), 'float32', [2, 3]);
  });
  assert.ok(steps.includes('Softmax 0,1'), String(steps));
});

test('what is left out goes to what gives its result', async () => {
  const idle = (b: ModelBuilder, value: Value) => b.op('Identity', [b.op('Identity', [value])]);
  const steps = await stepsBuilt((b, given) => y(b, b.op('Softmax', [idle(b, b.op('MatMul', [given, weights(b)]))])));
  assert.equal(steps, ['MatMul 0,1,2', 'Softmax 3']);
});

test('functions are told apart by their calls, subgraphs by node and attribute', async () => {
  const steps = await stepsBuilt((b, given) => {
    b.function({ domain: 'own', name: 'Inner', inputs: ['a'] }, (f, [a]) =>
      f.output('c', f.op('Softmax', [f.op('Neg', [a])])),
    );
    b.function({ domain: 'own', name: 'Outer', inputs: ['a'] }, (f, [a]) =>
      f.output('c', f.op('Inner', [f.op('Inner', [a], {}, { domain: 'own' })], {}, { domain: 'own' })),
    );
    y(b, b.op('Outer', [b.op('Identity', [given])], {}, { domain: 'own' }));
  });
  assert.equal(steps, ['Neg 1/0/0', 'Softmax 1/0/1', 'Neg 1/1/0', 'Softmax 1/1/1']);
});

test.run();
