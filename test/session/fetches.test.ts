import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import { InferenceSession } from '../../src/index.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { int64s } from '../values.js';
import { numbers } from './run-model.js';

const fetches = suite('fetches');

const x = numbers([2, 3], -2.5);

/** `square` and `root` share `positive`; `text` is computed on the host, from `square`. */
function branches(): Uint8Array {
  const b = modelBuilder({ opset: 20 });
  const positive = b.op('Abs', [b.input('x', 'float32', ['n', 3])], {}, { name: 'positive' });
  const square = b.op('ReduceSumSquare', [positive, b.constant('axes', int64s([1]))], {}, { name: 'square' });
  b.output('square', square);
  b.output('root', b.op('Softmax', [positive], {}, { name: 'root' }));
  b.output('text', b.op('Cast', [square], { to: 8 }, { name: 'text' }));
  return b.toBytes();
}

const SETS: [names: string[], nodes: string[]][] = [
  [['square'], ['square']],
  [['root'], ['root']],
  [['text'], ['square', 'text']],
  [
    ['text', 'root'],
    ['root', 'square', 'text'],
  ],
  [
    ['text', 'square', 'root'],
    ['root', 'square', 'text'],
  ],
  [[], []],
];

for (const [names, nodes] of SETS) {
  fetches(`[${names}] computes what it needs, and nothing else`, async () => {
    const session = await InferenceSession.create(branches());
    const all = await session.run({ x });
    session.startProfiling();
    for (const asked of [names, Object.fromEntries(names.map((name) => [name, null]))]) {
      if (names.length === 0 && !Array.isArray(asked)) continue;
      const results = await session.run({ x }, asked);
      assert.equal(Object.keys(results).sort(), [...names].sort());
      for (const name of names) assert.equal(results[name], all[name]);
    }
    const ran = new Set(session.profile.map(({ node }) => node).filter((node) => nodes.includes(node)));
    assert.equal([...ran].sort(), nodes);
    const others = ['square', 'root', 'text'].filter((node) => !nodes.includes(node));
    for (const other of others)
      assert.not.ok(
        session.profile.some(({ node }) => node.includes(other)),
        other,
      );
    await session.release();
  });
}

fetches('a part first, the whole later, and tensors to write into', async () => {
  const session = await InferenceSession.create(branches());
  const root = { type: 'float32', dims: [2, 3], data: new Float32Array(6) } as never as TensorValue;
  const first = await session.run({ x }, { root } as never);
  assert.is(first.root, root);
  const all = await session.run({ x });
  assert.equal([...(root.data as Float32Array)], [...((all.root as TensorValue).data as Float32Array)]);
  assert.equal(await session.run({ x }, ['square']), { square: all.square });
  await session.release();
});

fetches('any number of sets of outputs', async () => {
  const b = modelBuilder({ opset: 20 });
  const input = b.input('x', 'float32', [2, 3]);
  const names = Array.from({ length: 6 }, (_, i) => `y${i}`);
  for (const [i, name] of names.entries())
    b.output(name, b.op('Add', [input, b.constant(`c${i}`, { ...numbers([1]), data: Float32Array.of(i) })]));
  const session = await InferenceSession.create(b.toBytes());
  for (let set = 1; set < 64; set++) {
    const asked = names.filter((_, i) => set & (1 << i));
    const results = await session.run({ x }, asked);
    assert.equal(Object.keys(results), asked);
    for (const name of asked) {
      const expected = Array.from(x.data as Float32Array, (value) => Math.fround(value + Number(name[1])));
      assert.equal([...((results[name] as TensorValue).data as Float32Array)], expected);
    }
  }
  await session.release();
});

fetches.run();
