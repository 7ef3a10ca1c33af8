import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import { CompatibleTensor } from '../../src/onnxruntime/compatible-tensor.js';
import { InferenceSession, Tensor } from '../../src/onnxruntime/index.js';
import { draw } from '../contrib/case.js';

const [HEADS, SIZE] = [2, 8];
const { floats } = draw(9);

function decoder(): Uint8Array {
  const b = modelBuilder({ opset: 23 });
  const x = (name: string, rows: string) => b.input(name, 'float32', ['batch', HEADS, rows, SIZE]);
  const operands = [
    x('q', 'rows'),
    x('k', 'rows'),
    x('v', 'rows'),
    null,
    x('past_key', 'past'),
    x('past_value', 'past'),
  ];
  const outputs = b.node('Attention', operands, { is_causal: 1 }, { outputs: 3 });
  for (const [i, name] of ['y', 'present_key', 'present_value'].entries())
    b.output(name, outputs[i] as (typeof outputs)[number]);
  return b.toBytes();
}

const random = (rows: number) => {
  const { data, dims } = floats([1, HEADS, rows, SIZE]);
  return new Tensor('float32', data as Float32Array, dims);
};
const step = (rows: number) => ({ q: random(rows), k: random(rows), v: random(rows) });

const test = suite('caches of onnxruntime’s interface');

test('a present that is fed back is not read; it can be at any time', async () => {
  const bytes = decoder();
  const [inPlace, copying] = await Promise.all([InferenceSession.create(bytes), InferenceSession.create(bytes)]);
  const none = new Tensor('float32', new Float32Array(0), [1, HEADS, 0, SIZE]);
  let here: Record<'past_key' | 'past_value', Tensor> = { past_key: none, past_value: none };
  let there = here;
  for (let i = 0; i < 20; i++) {
    const feeds = step(i === 0 ? 5 : 1);
    const [a, b] = [await inPlace.run({ ...feeds, ...here }), await copying.run({ ...feeds, ...there })];
    assert.equal(Array.from(a.y?.data as Float32Array), Array.from(b.y?.data as Float32Array));
    assert.ok(a.present_key instanceof Tensor);
    assert.ok(CompatibleTensor.shownBy(a.present_key as never), 'nobody has read it');
    assert.equal(a.present_key?.dims, [1, HEADS, 5 + i, SIZE]);
    here = { past_key: a.present_key as Tensor, past_value: a.present_value as Tensor };
    const copy = ({ dims, data }: Tensor) => new Tensor('float32', (data as Float32Array).slice(), dims);
    there = { past_key: copy(b.present_key as Tensor), past_value: copy(b.present_value as Tensor) };
  }
  assert.equal([...(here.past_key.data as Float32Array)], [...(there.past_key.data as Float32Array)]);
  assert.is(CompatibleTensor.shownBy(here.past_key as never), undefined);
  here.past_value.dispose();
  assert.throws(() => here.past_value.data, /disposed/);
  await Promise.all([inPlace.release(), copying.release()]);
});

test.run();
