import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../../src/builder/index.js';
import { expectRejection } from '../../expect-error.js';
import { modelOf, numbers, open } from '../run-model.js';

const test = suite('limits of nodes');

const chain = (length: number) =>
  modelOf((b, x) => {
    let value = x;
    for (let i = 0; i < length; i++) value = b.op('Relu', [value]);
    b.output('y', value);
  });

test('a graph may have as many as the limit, and no more', async () => {
  const session = await open(chain(20), { limits: { nodes: 20 } });
  assert.ok((await session.run({ x: numbers([2, 3, 4]) })).y);
  const place =
    /Relu "Relu_20": .* has 21 nodes and more; the limit is 20; .* raise nodes in the option limits of create/;
  await expectRejection('LIMIT', place, open(chain(21), { limits: { nodes: 20 } }));
});

test('those of subgraphs count', async () => {
  const model = modelOf((b, x) => {
    const branch = (name: string) =>
      b.subgraph(name, (g) => {
        let value = x;
        for (let i = 0; i < 5; i++) value = g.op('Neg', [value]);
        g.output(`${name}_y`, value);
      });
    const [then_branch, else_branch] = [branch('a'), branch('b')];
    b.output('y', b.op('If', [b.constant('yes', tensor('bool', [], [1]))], { then_branch, else_branch }));
  });
  await open(model, { limits: { nodes: 11 } });
  await expectRejection('LIMIT', /If ".*11 nodes and more; the limit is 10/, open(model, { limits: { nodes: 10 } }));
});

const doubling = (depth: number) => {
  const b = modelBuilder({ opset: 21, opsets: { local: 1 } });
  for (let i = 0; i <= depth; i++)
    b.function({ domain: 'local', name: `F${i}`, inputs: ['a'] }, (f, [a]) => {
      const call = (value: typeof a) => f.op(`F${i - 1}`, [value], {}, { domain: 'local' });
      f.output('b', i === 0 ? f.op('Neg', [a]) : call(call(a)));
    });
  b.output('y', b.op(`F${depth}`, [b.input('x', 'float32', [2])], {}, { domain: 'local' }));
  return b.toBytes();
};

test('calls of functions count as their bodies', async () => {
  await open(doubling(5), { limits: { nodes: 32 } });
  await expectRejection(
    'LIMIT',
    /F5 ".*32 nodes and more; the limit is 31/,
    open(doubling(5), { limits: { nodes: 31 } }),
  );
  await expectRejection('LIMIT', /the limit is 262,144; .* the option limits of create/, open(doubling(40)));
});

test('derivatives count as what they are made of', async () => {
  const model = (count: number) => {
    const b = modelBuilder({ opset: 21, opsets: { 'ai.onnx.preview.training': 1 } });
    const x = b.input('x', 'float32', [2]);
    let y = x;
    for (let i = 0; i < 10; i++) y = b.op('Sin', [y]);
    const named = b.output('y', y);
    for (let i = 0; i < count; i++) {
      const attributes = { xs: ['x'], y: named.name };
      b.output(`g${i}`, b.op('Gradient', [x], attributes, { domain: 'ai.onnx.preview.training' }));
    }
    return b.toBytes();
  };
  await open(model(1), { limits: { nodes: 100 } });
  await expectRejection('LIMIT', /the limit is 100/, open(model(8), { limits: { nodes: 100 } }));
});

test.run();
