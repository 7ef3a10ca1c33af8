import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  fromExternalData,
  inspectModel,
  loadModel,
  type Model,
  type NodeFacts,
  parseModel,
  toExternalData,
} from '../../../src/tools/index.js';
import { expectRejection } from '../../expect-error.js';
import { shared, sharedModels } from '../../shared-data.js';

const test = suite('inspectModel');

const parsed = (body: string, functions = ''): Model =>
  parseModel(`<ir_version: 10, opset_import: ["": 21, "local": 1]> ${body} ${functions}`);

const byId = (nodes: readonly NodeFacts[]) => new Map(nodes.map(({ id, ...facts }) => [id, facts]));

test('what each node takes, by its place in the file', async () => {
  // The nodes are not in the order in which they can run.
  const model =
    parsed(`g (float[n, 4] x) => (float[n, 2] y) <float[4, 2] w = {1, 2, 3, 4, 5, 6, 7, 8}, float[2] b = {0, 1}>
    { y = Add(p, b)  p = MatMul(x, w) }`);
  const { multiplyAdds, uncounted, byNode, weights, operators } = await inspectModel(model, { dims: { n: 3 } });
  assert.equal([multiplyAdds, uncounted], [3 * 4 * 2, 0]);
  assert.equal(weights, { parameters: 10, bytes: 40 });
  assert.equal(
    operators.map(({ operator, count }) => `${operator} ${count}`),
    ['Add 1', 'MatMul 1'],
  );
  const found = byId(byNode);
  const sizes = (read: number, written: number) => ({ readBytes: read * 4, writtenBytes: written * 4 });
  assert.equal(found.get('0'), { operator: 'Add', multiplyAdds: 0, parameters: 2, weightBytes: 8, ...sizes(6 + 2, 6) });
  assert.equal(found.get('1'), {
    operator: 'MatMul',
    multiplyAdds: 24,
    parameters: 8,
    weightBytes: 32,
    ...sizes(12 + 8, 6),
  });
});

const BRANCHES = (condition: string) => `g (float[2, 2] x, ${condition} c) => (float[2, 2] y) {
  y = If (c) <
    then_branch = t () => (float[2, 2] a) { s = Relu(x)  a = MatMul(s, x) },
    else_branch = e () => (float[2, 2] b) { b = Identity(x) }
  >
}`;

test('a branch that is taken counts, for its node and in it; one that is not does not', async () => {
  const known = parsed(BRANCHES('bool').replace(', bool c', '').replace('{', '<bool c = {1}> {'));
  const taken = await inspectModel(known);
  assert.is(taken.multiplyAdds, 8);
  assert.equal(
    taken.byNode.map(({ id, operator, multiplyAdds }) => `${id} ${operator} ${multiplyAdds}`),
    ['0 If 8', '0/then_branch/0 Relu 0', '0/then_branch/1 MatMul 8', '0/else_branch/0 Identity null'],
  );
  const open = await inspectModel(parsed(BRANCHES('bool')));
  assert.equal([open.multiplyAdds, open.uncounted], [0, 1]);
  assert.ok(open.byNode.every(({ multiplyAdds }) => multiplyAdds === null));
});

test('a call counts what its function does', async () => {
  const model = parsed(
    'g (float[2, 3] x) => (float[2, 2] y) { z = local.twice(x)  y = local.product(z) }',
    `<domain: "local", opset_import: ["": 21, "local": 1]> twice (a) => (b) { b = Add(a, a) }
     <domain: "local", opset_import: ["": 21, "local": 1]> product (a) => (b) { c = Transpose(a)  b = MatMul(a, c) }`,
  );
  const { byNode, multiplyAdds } = await inspectModel(model);
  assert.is(multiplyAdds, 2 * 3 * 2);
  assert.equal(
    byNode.map(({ id, operator, multiplyAdds }) => `${id} ${operator} ${multiplyAdds}`),
    ['0 local.twice 0', '1 local.product 12'],
  );
});

test('what cannot be counted is said, the rest is', async () => {
  const model = parsed(`g (float[n, 2] x, float[2, 2] w) => (float[n, 2] p, float[k, 2] q, float[n, 2] r) {
    p = MatMul(x, w)  i = NonZero(x)  t = Transpose(i)  f = Cast <to: int = 1> (t)  q = MatMul(f, w)  r = local.Unheard(x) }`);
  const { multiplyAdds, uncounted, refusal, byNode, operators } = await inspectModel(model, { dims: { n: 5 } });
  assert.equal([multiplyAdds, uncounted], [20, 1]);
  assert.match(refusal ?? '', /no such operator in domain local/);
  assert.equal(
    operators.filter(({ supported }) => !supported).map(({ operator }) => operator),
    ['local.Unheard'],
  );
  assert.equal(
    byNode.map((node) => node.multiplyAdds),
    [20, 0, null, null, null, null],
  );
});

test('sizes are those of inputs, and whole numbers', async () => {
  const model = parsed('g (float[n] x) => (float[n] y) { y = Relu(x) }');
  await expectRejection(
    'INVALID_ARGUMENT',
    /no input has a dynamic dimension "m"; the inputs have "n"/,
    inspectModel(model, { dims: { m: 1 } }),
  );
  await expectRejection(
    'INVALID_ARGUMENT',
    /dimension "n": expected a non-negative integer, got 1.5/,
    inspectModel(model, { dims: { n: 1.5 } }),
  );
});

/** Multiply-adds that torchvision states of its models, in 10⁹ (https://docs.pytorch.org/vision/stable/models.html, "GFLOPS"). */
const STATED = { mobilenet_v2: 0.3, squeezenet1_1: 0.35, mobilenet_v3_small: 0.06 };

const root = shared('models');
for (const name of sharedModels('mobilenet_v2', 'squeezenet1_1', 'mobilenet_v3_small'))
  test(`${name} takes what its makers say`, async () => {
    const { multiplyAdds } = await inspectModel(await loadModel(join(root, name, 'model.onnx')));
    assert.is(Number((multiplyAdds / 1e9).toFixed(2)), STATED[name]);
  });

test('nodes of whole models are found by their places, and come to the sum of all', async () => {
  for (const name of readdirSync(root)) {
    const path = join(root, name, 'model.onnx');
    if (!existsSync(path)) continue;
    const model = await loadModel(path);
    const { byNode, multiplyAdds } = await inspectModel(model);
    const nodes = model.proto.graph?.node ?? [];
    const own = byNode.filter(({ id }) => !id.includes('/'));
    assert.equal(
      own.map(({ id }) => nodes[Number(id)]?.opType),
      own.map(({ operator }) => operator.split('.').at(-1)),
      name,
    );
    assert.is(own.length, nodes.length, name);
    assert.is(
      own.reduce((sum, node) => sum + (node.multiplyAdds ?? 0), 0),
      multiplyAdds,
      name,
    );
  }
});

test('weights in other files, a Blob among them, are left there', async () => {
  const model = await loadModel(join(root, 'digits_cnn_trained', 'model.onnx'));
  const inside = await inspectModel(model);
  const outside = await toExternalData(model, { location: 'w.bin', threshold: 0, attributes: true });
  let most = 0;
  const files: Model['files'] = async (path) => {
    const file = await outside.files(path);
    return {
      size: file.size,
      range: async (begin, end) => {
        most = Math.max(most, end - begin);
        return file.range(begin, end);
      },
    };
  };
  assert.equal(await inspectModel({ ...outside, files }), inside);
  assert.ok(most > 0 && most <= 4096);
  assert.equal(await inspectModel(await fromExternalData(outside)), inside);
});

test.run();
