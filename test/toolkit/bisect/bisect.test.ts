import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Rule } from '../../../src/optimize/rule.js';
import { identities } from '../../../src/optimize/rules/identities.js';
import { bisectRewrites, loadModel, parseModel } from '../../../src/tools/index.js';
import { expectRejection } from '../../expect-error.js';
import { shared, sharedModels } from '../../shared-data.js';
import { f32 } from '../../values.js';

const test = suite('bisectRewrites');

/** Takes a node of that name for one that computes nothing. */
const wrong = (name: string): Rule => ({
  name: 'a wrong rule',
  roots: ['Tanh', 'Erf', 'Relu', 'HardSwish', 'Softmax'],
  propose: (node) => (node.name === name ? { replaces: [node.inputs[0] as never], covers: [node] } : undefined),
});

/** Lets the optimizer of all sessions have one more rule. */
async function withRule<T>(rule: Rule, work: () => Promise<T>): Promise<T> {
  const rules = identities as Rule[];
  rules.push(rule);
  try {
    return await work();
  } finally {
    rules.splice(rules.indexOf(rule), 1);
  }
}

const chain = (count: number) =>
  parseModel(`<ir_version: 10, opset_import: ["" : 21]>
  g (float[n,4] v0) => (float[n,4] v${count}) <float[1] one = {1}> {
    ${Array.from({ length: count }, (_, i) => {
      const text = ['Identity (#)', 'Mul (#, one)', 'Tanh (#)', 'Transpose <perm = [0, 1]> (#)', 'Erf (#)'][
        i % 5
      ] as string;
      return `v${i + 1} = ${text.replace('#', `v${i}`)}`;
    }).join('\n')}
  }`);

test('a wrong rule is found, wherever it applies', async () => {
  for (const name of ['v3', 'v55', 'v98']) {
    const found = await withRule(wrong(name), () => bisectRewrites(chain(100), { v0: f32([1, 4], [-1, 0.5, 2, 3]) }));
    assert.is(found.cause, 'rewrite');
    if (found.cause !== 'rewrite') return;
    assert.equal(found.rewrite, { rule: 'a wrong rule', node: name });
    // Node i of the chain makes v(i + 1).
    assert.equal(found.origins, [`${Number(name.slice(1)) - 1}`]);
    assert.ok(found.rewrites > 40);
    assert.ok(found.runs <= Math.ceil(Math.log2(found.rewrites)) + 2, `${found.runs} runs`);
    assert.is(found.first?.name, 'v100');
    assert.ok((found.first?.relativeL2 ?? 0) > 1e-4);
  }
});

test('by what the caller takes for wrong', async () => {
  const model = chain(40);
  const found = await bisectRewrites(model, undefined, {
    session: { graphOptimizationLevel: 'basic' },
    isWrong: (session) => session.placement.length < 30,
  });
  assert.is(found.cause, 'rewrite');
  assert.ok(found.cause === 'rewrite' && found.index > 1 && found.index <= found.rewrites);
});

test('a model that is right has no cause; what no rewrite has done is another', async () => {
  assert.is((await bisectRewrites(chain(20))).cause, 'none');
  const found = await bisectRewrites(chain(20), undefined, { isWrong: () => true });
  assert.is(found.cause, 'other');
  assert.is(found.runs, 2);
});

test('it can be stopped', async () => {
  const stopped = bisectRewrites(chain(5), undefined, { signal: AbortSignal.abort() });
  await expectRejection('ABORTED', /the bisection was aborted/, stopped);
});

const folder = shared('models');

test('in networks that nobody made for this', async () => {
  const middle = { digits_cnn_trained: 'Relu', mobilenet_v3_small: 'HardSwish' } as const;
  for (const name of sharedModels('digits_cnn_trained', 'mobilenet_v3_small')) {
    const operator = middle[name];
    const model = await loadModel(join(folder, name, 'model.onnx'));
    const nodes = model.proto.graph?.node.filter(({ opType }) => opType === operator) ?? [];
    const node = nodes[nodes.length >> 1];
    const called = node?.name || (node?.output[0] as string);
    const found = await withRule(wrong(called), () => bisectRewrites(model, undefined, { sizes: { batch: 1 } }));
    assert.equal(found.cause === 'rewrite' && found.rewrite, { rule: 'a wrong rule', node: called }, name);
  }
});

test.run();
