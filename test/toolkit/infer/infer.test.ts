import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { GraphProto, ModelProto, TypeProto } from '../../../build/onnx.js';
import { formatType } from '../../../src/graph/types.js';
import { toNumber } from '../../../src/model/int64.js';
import { InvalidModelError, type Issue } from '../../../src/tools/check/index.js';
import { checkModel } from '../../../src/tools/check-document.js';
import {
  type InferOptions,
  inferFunctionOutputTypes,
  inferShapes,
  typesIn,
  typesOf,
} from '../../../src/tools/infer/index.js';
import { loadModel } from '../../../src/tools/load-model.js';
import { parseFunction, parseModel, toText } from '../../../src/tools/text.js';
import { expectRejection } from '../../expect-error.js';
import { shared } from '../../shared-data.js';
import { networks } from '../check/models.js';

const test = suite('shape inference');

const model = (graph: string, functions = '') =>
  parseModel(`<ir_version: 10, opset_import: ["" : 21, "local" : 1]> ${graph} ${functions}`);

const graphOf = ({ graph }: ModelProto) => graph as GraphProto;

/** Sizes of all values that inference has told of, as text. */
async function shapesOf(text: string, options?: InferOptions): Promise<Record<string, string>> {
  const { output, valueInfo } = graphOf((await inferShapes(model(text), options)).proto);
  return Object.fromEntries([...output, ...valueInfo].map(({ name, type }) => [name, dimsOf(type)]));
}

const dimsOf = (type: TypeProto | null | undefined): string =>
  type?.tensorType?.shape?.dim.map(({ dimParam, dimValue }) => dimParam || `${toNumber(dimValue ?? -1)}`).join() ??
  'open';

const SYMBOLS: readonly (readonly [name: string, graph: string, shapes: Record<string, string>])[] = [
  ['products', 'g (float[b,s,4] x) => (y) { y = Flatten <axis = 2> (x) }', { y: 'b*s,4' }],
  ['sums', 'g (float[p,2] x, float[n,2] y) => (z) { z = Concat <axis = 0> (x, y) }', { z: 'n+p,2' }],
  ['sums with numbers', 'g (float[p] x, float[3] y) => (z) { z = Concat <axis = 0> (x, y) }', { z: 'p+3' }],
  [
    'through shape arithmetic',
    'g (float[b,s,8] x) => (y) <int64[3] to = {0, -1, 4}> { y = Reshape (x, to) }',
    { y: 'b,2*s,4' },
  ],
  [
    'names that are expressions',
    'g (float["past + 1",2] x, float[n,2] y) => (z, w) { z = Concat <axis = 0> (x, y) w = Relu (x) }',
    { z: '(past + 1)+n,2', w: 'past + 1,2' },
  ],
  [
    'equal unknown sizes have equal names, and none that is taken',
    'g (float[unk__0] x) => (y, z) { y = NonZero (x) z = Neg (y) }',
    { y: '1,unk__1', z: '1,unk__1' },
  ],
  ['sizes nobody has named', 'g (float[?,2] x) => (y) { y = Relu (x) }', { y: 'unk__0,2' }],
];

for (const [name, graph, shapes] of SYMBOLS)
  test(`symbols: ${name}`, async () => assert.equal(await shapesOf(graph), shapes));

test('without data propagation, constants alone say shapes', async () => {
  const graph = `g (float[2,3] x, float[6] f) => (y, z) <int64[1] flat = {-1}> { s = Shape (x) y = Reshape (f, s) z = Reshape (x, flat) }`;
  assert.equal(await shapesOf(graph), { s: '2', y: '2,3', z: '6' });
  assert.equal(await shapesOf(graph, { dataPropagation: false }), { s: '2', y: 'unk__0,unk__1', z: '6' });
});

test('sizes are put in place of their names, wherever these are', async () => {
  const given = model('g (float[b,s] x) => (float[b,s] y) { t = Flatten <axis = 0> (x) y = Identity (x) }');
  const { input, output, valueInfo } = graphOf((await inferShapes(given, { sizes: { b: 4 } })).proto);
  assert.equal(
    [input, output, valueInfo].map(([info]) => dimsOf(info?.type)),
    ['4,s', '4,s', '1,4*s'],
  );
  await expectRejection(
    'INVALID_ARGUMENT',
    /no dynamic dimension "c"; it has "b", "s"/,
    inferShapes(given, { sizes: { c: 1 } }),
  );
  await expectRejection(
    'INVALID_ARGUMENT',
    /"b": expected a non-negative integer, got -1/,
    inferShapes(given, { sizes: { b: -1 } }),
  );
});

test('what the model says is completed, and what it says besides is kept', async () => {
  const given = model('g (float[2,3] x) => (float[N,3] y) <float[2,?] t> { t = Relu (x) y = Exp (t) }');
  const { output, valueInfo } = graphOf((await inferShapes(given)).proto);
  assert.equal(
    [output, valueInfo].map(([info]) => dimsOf(info?.type)),
    ['2,3', '2,3'],
  );
});

const BROKEN = `g (float[2,3] x, float[4] w) => (float[9] y, z) {
  t = Add (x, w)
  y = Relu (x)
  z = Neg (x)
}`;

test('what contradicts the model or a rule stays open, is said, and the rest goes on', async () => {
  const issues: Issue[] = [];
  const shapes = await shapesOf(BROKEN, { onIssue: (issue) => issues.push(issue) });
  assert.equal(shapes, { y: '9', z: '2,3' });
  assert.equal(
    issues.map(({ path, value }) => [path, value]),
    [
      ['graph.node[0]', undefined],
      ['graph.node[1]', 'y'],
    ],
  );
});

test('in strict mode it is an error that has all of it', async () => {
  const strict = inferShapes(model(BROKEN), { strict: true });
  await expectRejection('INVALID_MODEL', /\[2,3\] and \[4\] do not broadcast/, strict);
  const error = await strict.catch((thrown: unknown) => thrown);
  assert.instance(error, InvalidModelError);
  assert.is((error as InvalidModelError).issues.length, 2);
});

/** What onnxruntime refuses when it runs, its message beside it; ONNX's strict inference passes all. */
const UNHELD: readonly (readonly [graph: string, complaint: RegExp])[] = [
  // Output channels M is not divisible by group. M: 4 group: 3
  [
    'g (float[1,3,5,5] x, float[4,1,2,2] w, float[4] b) => (float[1,4,4,4] y) { y = Conv <group = 3> (x, w, b) }',
    /4 output channels do not divide into 3 groups/,
  ],
  // Input R must have shape {1,18,6}. Actual:{1,18,4}
  [
    'g (float[5,3,4] x, float[1,18,4] w, float[1,18,4] r) => (float[5,1,3,6] y) { y = GRU <hidden_size = 6> (x, w, r) }',
    /inferred float32\[5,1,3,4\], but declared as float32\[5,1,3,6\]/,
  ],
];

for (const [graph, complaint] of UNHELD)
  test(`in strict mode it is a warning that ${complaint.source}`, async () => {
    const issues: Issue[] = [];
    await inferShapes(model(graph), { strict: true, onIssue: (issue) => issues.push(issue) });
    assert.equal(
      issues.map(({ severity, path }) => [severity, path]),
      [['warning', 'graph.node[0]']],
    );
    assert.match(issues[0]?.message ?? '', complaint);
  });

test('what else is wrong with such a node is an error', async () => {
  const graph = 'g (float[1,3,5,5] x, float[4,2,2,2] w) => (y) { y = Conv <group = 3> (x, w) }';
  await expectRejection('INVALID_MODEL', /X has 3 channels/, inferShapes(model(graph), { strict: true }));
});

test('windows are known where the number of output channels is not', async () => {
  const graph = 'g (float[1,3,5,5] x, float[m,3,2,2] w) => (y) { y = Conv (x, w) }';
  assert.equal(await shapesOf(graph), { y: '1,m,4,4' });
});

const BRANCHES = `g (bool c, float[n,2] x) => (y) {
  y = If (c) <
    then_branch = a () => (p) { q = Exp (x) p = Transpose (q) },
    else_branch = b () => (r) { r = Flatten <axis = 0> (x) }
  >
}`;

test('graphs inside a graph are told of their values', async () => {
  const { node, output } = graphOf((await inferShapes(model(BRANCHES))).proto);
  const [taken, other] = node[0]?.attribute.map(({ g }) => g as GraphProto) ?? [];
  assert.is(dimsOf(output[0]?.type), 'unk__0,unk__1');
  assert.equal(
    [taken?.valueInfo[0], taken?.output[0]].map((info) => dimsOf(info?.type)),
    ['n,2', '2,n'],
  );
  assert.is(dimsOf(other?.output[0]?.type), '1,2*n');
});

test('an error inside a graph says where that is', async () => {
  const broken = BRANCHES.replace('Exp (x)', 'Softmax <axis = 7> (x)').replace('Softmax', 'Concat');
  const issues: Issue[] = [];
  await inferShapes(model(broken), { onIssue: (issue) => issues.push(issue) });
  assert.equal(
    issues.map(({ path }) => path),
    ['graph.node[0].attribute.then_branch.g.node[0]'],
  );
});

const CAST =
  '<opset_import: ["" : 21], domain: "local"> cast <to> (x) => (y) { s = Shape (x) t = Cast <to : int = @to> (s) y = ConstantOfShape (s) }';

test('functions are inferred for each call, their own values are not told', async () => {
  const given = model(
    'g (float[2,b] x, float[3] z) => (y, w) { y = local.cast <to = 7> (x) w = local.cast <to = 6> (z) }',
    CAST,
  );
  const { output, valueInfo } = graphOf((await inferShapes(given)).proto);
  assert.equal(
    output.map(({ type }) => dimsOf(type)),
    ['2,b', '3'],
  );
  assert.equal(valueInfo, []);
});

test('a function by itself, with the attributes of a call', async () => {
  const call = graphOf(model('g (float[2,b] x) => () { y = local.cast <to = 7> (x) }').proto);
  const types = [call.input[0]?.type as TypeProto];
  const [type] = await inferFunctionOutputTypes(parseFunction(CAST), types, call.node[0]?.attribute);
  assert.is(dimsOf(type), '2,b');
  await expectRejection(
    'INVALID_MODEL',
    /needs the attribute "to"/,
    inferFunctionOutputTypes(parseFunction(CAST), types),
  );
});

test('operators that nobody knows leave open what they make, and what follows from their names is known', async () => {
  const shapes = await shapesOf('g (float[2] x) => (y, z, w) { y = local.Own (x) z = Shape (y) w = Neg (x) }');
  // Shape's result has one size, as onnx.shape_inference has it.
  assert.equal(shapes, { y: 'open', z: 'unk__0', w: '2' });
});

test('nothing changes what has been inferred already, and what stays the same is shared', async () => {
  const given = model(BRANCHES);
  const once = await inferShapes(given);
  assert.is.not(once, given);
  assert.is(graphOf(once.proto).input, graphOf(given.proto).input);
  assert.is(await inferShapes(once), once);
  assert.is(toText(given), toText(model(BRANCHES)));
});

test('types of all values, of one graph or by graph', async () => {
  const types = await typesOf(model(BRANCHES));
  assert.is(formatType(types.get('q')), 'float32[n,2]');
  const byGraph = await typesIn(model(BRANCHES));
  assert.equal(
    [...byGraph.keys()],
    ['graph', 'graph.node[0].attribute.then_branch.g', 'graph.node[0].attribute.else_branch.g'],
  );
});

const paths = networks();
test('what is inferred of whole networks passes the full check', async () => {
  for (const path of paths) {
    const inferred = await inferShapes(await loadModel(path), { strict: true });
    assert.equal(await checkModel(inferred, { full: true }), [], path);
  }
});

const models = shared('models');
test('weights stay in their file', async () => {
  const loaded = await loadModel(join(models, 'digits_cnn_trained', 'model.onnx'));
  const inferred = await inferShapes(loaded);
  assert.is(graphOf(inferred.proto).initializer, graphOf(loaded.proto).initializer);
});

test('a Loop of more outputs than its body computes is refused, by the first that nothing makes', async () => {
  const model = parseModel(`<ir_version: 10, opset_import: ["": 21]>
    g (int64 n, bool c, float[1] x) => (float[1] y) {
      y, z = Loop (n, c, x) <body = b (int64 i, bool k, float[1] a) => (bool k2, float[1] a2) { k2 = Identity (k) a2 = Add (a, a) }>
    }`);
  await expectRejection(
    'INVALID_MODEL',
    /lists 2 outputs but computes 1; "z" is never computed/,
    inferShapes(model, { strict: true }),
  );
});

test('what has a rank whatever its input is has it where nothing is known of the input', async () => {
  const RANKS: Readonly<Record<string, number>> = {
    ...{ Shape: 1, 'Shape <start = 1>': 1, Size: 0, NonZero: 2, Flatten: 2, Unique: 1 },
  };
  for (const [op, rank] of Object.entries(RANKS)) {
    const [name = '', ...attributes] = op.split(' ');
    const inferred = await inferShapes(
      parseModel(`<ir_version: 10, opset_import: ["": 21, "own": 1]> g (float[n] x) => (float[m] y) {
        u = own.Unknown (x)
        c = Cast <to = 1> (u)
        s = ${name} ${attributes.join(' ')} (c)
        y = own.Unknown (s)
      }`),
    );
    const found = graphOf(inferred.proto).valueInfo.find(({ name: value }) => value === 's');
    assert.is(found?.type?.tensorType?.shape?.dim.length, rank, op);
  }
});

test.run();
