import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { GraphProto, ModelProto, TypeProto, ValueInfoProto } from '../../build/onnx.js';
import { modelBuilder } from '../../src/builder/index.js';
import { InferenceSession } from '../../src/index.js';
import { toNumber } from '../../src/model/int64.js';
import { readValue } from '../../src/model/read-values.js';
import { fileGrowth } from '../../src/optimize/file-growth.js';
import type { HostValue, TensorValue } from '../../src/tensor/tensor-value.js';
import { compare } from '../../src/tools/difference.js';
import {
  checkModel,
  loadModel,
  type Model,
  parseModel,
  saveModel,
  simplify,
  simplifyPasses,
} from '../../src/tools/index.js';
import { withProto } from '../../src/tools/model-of.js';
import { phasesIn } from '../../src/tools/simplify/passes.js';
import { expectRejection } from '../expect-error.js';
import { shared, sharedModels } from '../shared-data.js';
import { sampled } from '../tier.js';
import { f32, numberOf } from '../values.js';

const always = suite('simplify');
const test = sampled(always, { quick: 1 / 2 });

const model = (body: string, opset = 21) => parseModel(`<ir_version: 10, opset_import: ["" : ${opset}]>\n${body}`);
const operators = ({ proto }: Model) => proto.graph?.node.map(({ opType }) => opType);
const simple = async (body: string, options = {}) => (await simplify(model(body), options)).model;

const SHAPED = `g (float[batch,rows,12] x) => (float[batch,rows,3,4] y) {
  shape = Shape (x)
  zero = Constant <value = int64 {0}> ()
  one = Constant <value = int64 {1}> ()
  axes = Constant <value = int64[1] {0}> ()
  batch = Gather (shape, zero)
  rows = Gather (shape, one)
  batches = Unsqueeze (batch, axes)
  all_rows = Unsqueeze (rows, axes)
  inner = Constant <value = int64[2] {3, 4}> ()
  wanted = Concat <axis = 0> (batches, all_rows, inner)
  y = Reshape (x, wanted)
}`;

test('a shape of sizes becomes a constant, whatever the sizes', async () => {
  const { model: made, rewrites } = await simplify(model(SHAPED), { verify: 2 });
  assert.equal(operators(made), ['Reshape']);
  assert.equal(rewrites, { 'shape of sizes': 1 });
  await simplify(model(SHAPED), { verify: 1, sizes: { batch: 2, rows: 5 } });
});

test('a pass that is skipped leaves its nodes', async () => {
  assert.ok(operators(await simple(SHAPED, { skip: ['shape of sizes'] }))?.includes('Concat'));
  assert.ok(operators(await simple(SHAPED, { skip: ['constants folded'] }))?.includes('Constant'));
  const twins = 'g (float[2] x) => (float[2] y) {\n a = Exp (x)\n b = Exp (x)\n y = Add (a, b)\n}';
  assert.equal(operators(await simple(twins)), ['Exp', 'Add']);
  assert.equal(operators(await simple(twins, { skip: ['equal nodes merged'] })), ['Exp', 'Exp', 'Add']);
  await expectRejection(
    'INVALID_ARGUMENT',
    /unknown pass "x"; the passes are "constants folded", /,
    simple(twins, { skip: ['x'] }),
  );
  const empty = { name: '', inputs: [], outputs: [], nodes: [] };
  const rules = new Set(
    phasesIn(empty, fileGrowth(empty))
      .flat()
      .map(({ name }) => name),
  );
  assert.equal(simplifyPasses, ['constants folded', 'equal nodes merged', ...rules]);
});

test('more than one open size, and what may be empty, stay', async () => {
  const open = `g (float[a,b] x, int64[2] s) => (float[m,n] y) {\n y = Reshape (x, s)\n}`;
  assert.equal(operators(await simple(open)), ['Reshape']);
  const allowzero = SHAPED.replace('Reshape (x', 'Reshape <allowzero = 1> (x');
  assert.ok(operators(await simple(allowzero))?.includes('Concat'));
});

test('axes there and back, padding of nothing, a division into one, factors', async () => {
  const body = `g (float[n] x) => (float[n] y) {
    axes = Constant <value = int64[1] {0}> ()
    none = Constant <value = int64[2] {0, 0}> ()
    one = Constant <value = float {1}> ()
    two = Constant <value = float {2}> ()
    three = Constant <value = float {3}> ()
    a = Unsqueeze (x, axes)
    b = Squeeze (a, axes)
    c = Pad (b, none)
    d = Split <num_outputs = 1> (c)
    e = Mul (d, one)
    f = Mul (two, e)
    y = Mul (f, three)
  }`;
  const { model: made } = await simplify(model(body), { verify: 1, sizes: { n: 5 } });
  assert.equal(operators(made), ['Mul']);
  const other = body
    .replace('Squeeze (a, axes)', 'Squeeze (a, far)')
    .replace('axes =', 'far = Constant <value = int64[1] {1}> ()\naxes =');
  assert.ok(operators((await simplify(model(other))).model)?.includes('Squeeze'), 'other axes are none of these');
});

/** Two factors, and whether they become one: where float32 has their product as a normal number, or as 0 that one of them is. */
const FACTORS: readonly (readonly [inner: number, outer: number, isOne: boolean])[] = [
  [2, 3, true],
  [-0.5, 2 ** -20, true],
  [0, 2 ** -100, true],
  [2 ** 60, 0, true],
  [2 ** -63, 2 ** -63, true],
  [2 ** 63, 2 ** 64, true],
  [2 ** -64, 2 ** -63, false],
  [2 ** -70, -(2 ** -70), false],
  [2 ** -100, 2 ** -100, false],
  [2 ** 64, 2 ** 64, false],
  [-(2 ** 100), 2 ** 100, false],
];

always('two factors become one where their product is no less exact, and results stay as they are', async () => {
  const x = [0, 1, -3, 2 ** 60, -(2 ** -20)];
  for (const [inner, outer, isOne] of FACTORS) {
    const b = modelBuilder({ opset: 21 });
    const product = b.op('Mul', [b.input('x', 'float32', [x.length]), b.constant('inner', numberOf(inner))]);
    b.output('y', b.op('Mul', [b.constant('outer', numberOf(outer)), product]));
    const { model: made } = await simplify(await loadModel(b.toBytes()));
    assert.is(operators(made)?.length, isOne ? 1 : 2, `${inner} and ${outer}`);
    const session = await InferenceSession.create(await saveModel(made), { graphOptimizationLevel: 'disabled' });
    const { y } = await session.run({ x: f32([x.length], x) });
    await session.release();
    const expected = x.map((value) => Math.fround(Math.fround(value * inner) * outer) + 0);
    assert.equal(
      Array.from((y as TensorValue).data as Float32Array, (value) => value + 0),
      expected,
    );
  }
});

test('groups are normalised by an operator that the opset has: before 21 it is deprecated, and scales groups', async () => {
  const body = `g (float[2,4,3,3] x) => (float[2,4,3,3] y)
    <int64[3] groups = {0, 2, -1}, float[2] ones = {1, 1}, float[2] zeros = {0, 0}, int64[4] back = {2, 4, 3, 3},
     float[4,1,1] scale = {1, 2, 3, 4}, float[4,1,1] bias = {5, 6, 7, 8}> {
    parts = Reshape (x, groups)
    even = InstanceNormalization (parts, ones, zeros)
    whole = Reshape (even, back)
    scaled = Mul (whole, scale)
    y = Add (scaled, bias)
  }`;
  assert.equal(operators(await simple(body, { verify: 1 })), ['GroupNormalization']);
  for (const opset of [18, 20])
    assert.not(operators((await simplify(model(body, opset))).model)?.includes('GroupNormalization'), `opset ${opset}`);
});

test('functions are put in place, and the graph keeps its words', async () => {
  const body = `g (float[n] x) => (float[n] y) {\n y = local.twice (x)\n}
  <domain: "local", opset_import: ["" : 21]> twice (a) => (b) {\n b = Add (a, a)\n}`;
  const before = parseModel(`<ir_version: 10, opset_import: ["" : 21, "local" : 1], producer_name: "p">\n${body}`);
  const { model: made } = await simplify(before, { verify: 1 });
  assert.equal(operators(made), ['Add']);
  assert.equal(made.proto.functions, []);
  assert.is(made.proto.producerName, 'p');
  assert.equal(
    (await checkModel(made, { full: true })).filter(({ severity }) => severity === 'error'),
    [],
  );
});

test('branches and bodies are simplified too, and what they capture stays', async () => {
  const body = `g (bool c, float[n] x) => (float[n] y) {
    twice = Add (x, x)
    y = If (c) <then_branch = t () => (float[n] a) {
      one = Constant <value = float {1}> ()
      b = Identity (twice)
      a = Mul (b, one)
    }, else_branch = e () => (float[n] d) { d = Exp (x) }>
  }`;
  const { model: made } = await simplify(model(body), { verify: 2, sizes: { n: 3 } });
  assert.equal(operators(made), ['Add', 'If']);
  const [then] =
    made.proto.graph?.node[1]?.attribute.flatMap(({ name, g }) => (name === 'then_branch' ? [g] : [])) ?? [];
  assert.equal(
    then?.node.map(({ opType }) => opType).filter((op) => op !== 'Identity'),
    [],
  );
});

test('what no pass concerns is the very message', async () => {
  const before = model(
    `g (float[n] x) => (float[n] y) <float[1] w = {3}> {\n [kept] a = Mul (x, w)\n b = Identity (a)\n y = Exp (b)\n}`,
  );
  const { model: made } = await simplify(before);
  const [mul, exp] = made.proto.graph?.node ?? [];
  assert.is(mul, before.proto.graph?.node[0]);
  assert.equal(exp?.input, ['a']);
  assert.is(made.proto.graph?.initializer[0], before.proto.graph?.initializer[0]);
  assert.is(made.proto.graph?.input, before.proto.graph?.input);
});

test('sizes are fixed in inputs and what follows', async () => {
  const body = `g (float[n,4] x) => (float[n,4] y) {\n s = Shape (x)\n y = Expand (x, s)\n}`;
  const { model: made } = await simplify(model(body), { sizes: { n: 3 }, verify: 1 });
  assert.equal(
    made.proto.graph?.input[0]?.type?.tensorType?.shape?.dim?.map(({ dimValue }) => toNumber(dimValue ?? 0)),
    [3, 4],
  );
});

test('a model that is simple is the very model, sizes without a name too', async () => {
  const before = await loadModel(await saveModel(model('g (float[?,4] x) => (float[?,4] y) {\n y = Exp (x)\n}')));
  assert.is((await simplify(before)).model, before);
});

test('sizes without a name stay so beside one that is fixed', async () => {
  const made = await simple('g (float[?,n] x) => (float[?,n] y) {\n y = Exp (x)\n}', { sizes: { n: 3 } });
  for (const { type } of [...(made.proto.graph?.input ?? []), ...(made.proto.graph?.output ?? [])])
    assert.equal(
      type?.tensorType?.shape?.dim?.map(({ dimParam, dimValue }) => dimParam ?? toNumber(dimValue ?? -1)),
      [-1, 3],
    );
});

/** Nodes that npm's onnxsim 0.7.3 leaves: `npm run bench:simplify`. */
const ONNXSIM: Readonly<Record<string, number>> = {
  ...{ digits_cnn_trained: 11, squeezenet1_1: 65, mobilenet_v2: 100, mobilenet_v3_small: 122, vit_tiny6: 313 },
  ...{ bert_mini: 244, gpt_mini: 284, gru: 12, lstm: 12, unet_small: 60, ssdlite320: 633 },
  ...{ forest_trained: 2, gbdt_trained: 1, iris_pipeline_trained: 2 },
};

const folder = shared('models');
const data = (path: string, kind: string) =>
  readdirSync(path)
    .filter((file) => file.startsWith(kind))
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
    .map((file) => readFileSync(join(path, file)));

/** Results on a model's own test data, beside those that the framework gave. */
async function errors(bytes: Uint8Array, path: string): Promise<number> {
  const session = await InferenceSession.create(bytes, { graphOptimizationLevel: 'disabled' });
  const kindOf = (input: (typeof session.inputMetadata)[number]) => (input.isTensor ? 'tensor' : input.valueType?.kind);
  const feeds = Object.fromEntries(
    data(path, 'input_').map((value, i) => {
      const input = session.inputMetadata[i] as (typeof session.inputMetadata)[number];
      return [input.name, readValue(value, kindOf(input))];
    }),
  );
  const results = (await session.run(feeds)) as Record<string, HostValue>;
  await session.release();
  const expected = data(path, 'output_');
  const worst = session.outputMetadata.map((output, i) => {
    const kind = output.isTensor ? 'tensor' : output.valueType?.kind;
    const { relativeL2, mismatch } = compare(
      results[output.name] as HostValue,
      readValue(expected[i] as Uint8Array, kind),
    );
    return mismatch === undefined ? relativeL2 : Number.POSITIVE_INFINITY;
  });
  return Math.max(...worst);
}

test('an operator of nobody is refused with what to do, and a type that is none with its value', async () => {
  const head = '<ir_version: 10, opset_import: ["": 21, "com.foo": 1]>';
  const strange = parseModel(`${head} g (float[1] x) => (float[1] y) { a = Neg (x) y = com.foo.Bar (a) }`);
  await expectRejection(
    'UNSUPPORTED_OPERATOR',
    /com\.foo is a custom domain: export the model with/,
    simplify(strange),
  );
  const [x] = strange.proto.graph?.input ?? [];
  const type = new TypeProto({ tensorType: new TypeProto.Tensor({ elemType: 77 }) });
  const graph = new GraphProto({ ...strange.proto.graph, input: [new ValueInfoProto({ ...x, type })] });
  const untyped = withProto(strange, new ModelProto({ ...strange.proto, graph }));
  await expectRejection('INVALID_MODEL', /value "x": has the element type 77/, simplify(untyped));
});

for (const name of sharedModels(...Object.keys(ONNXSIM)))
  test(`${name}: valid, as right, idempotent, and of no more nodes than onnxsim's`, async () => {
    const path = join(folder, name);
    const most = ONNXSIM[name] as number;
    const { model: made } = await simplify(await loadModel(join(path, 'model.onnx')));
    assert.ok((operators(made)?.length ?? 0) <= most, `${operators(made)?.length} nodes`);
    assert.equal(
      (await checkModel(made, { full: true })).filter(({ severity }) => severity === 'error'),
      [],
    );
    const bytes = await saveModel(made);
    assert.ok((await errors(bytes, join(path, 'test_data_set_0'))) <= 1e-4);
    assert.ok(Buffer.compare(await saveModel((await simplify(made)).model), bytes) === 0, 'idempotent');
  });

test.run();
